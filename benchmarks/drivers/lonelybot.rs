//! Driver of lonelybot's library: verdicts of many deals in one process, with the processor time of each search.
//!
//! Build: cp lonelybot.rs LONELYBOT/examples/driver.rs && cd LONELYBOT && cargo build --release --example driver
//!
//! Run as `driver DRAWS SECONDS`. A line of input is a deal: 52 cards, column by column from the deepest card
//! on, then the stock, whose last card is turned first. A line of output is its answer: a verdict, microseconds,
//! `any`, and the moves of a solution in the notation of MinimalKlondike, whose translation is not timed.

use lonelybot::card::Card;
use lonelybot::convert::convert_moves;
use lonelybot::deck::N_PILE_CARDS;
use lonelybot::shuffler::CardDeck;
use lonelybot::solver::{solve_with_tracking, SearchResult};
use lonelybot::standard::{Pos, StandardMove, StandardSolitaire};
use lonelybot::state::Solitaire;
use lonelybot::tracking::{EmptySearchStats, TerminateSignal};
use std::cell::Cell;
use std::num::NonZeroU8;

const STATES: u32 = 1024; // between two looks at the clock
const STACK: usize = 64 << 20;

unsafe extern "C" {
    /// The processor time of this process, in microseconds on POSIX systems.
    safe fn clock() -> std::ffi::c_long;
}

/// The end of a search at a processor time.
struct Deadline {
    at: i64,
    visited: Cell<u32>,
}

impl TerminateSignal for Deadline {
    fn is_terminated(&self) -> bool {
        self.visited.set(self.visited.get() + 1);
        self.visited.get() % STATES == 0 && clock() > self.at
    }
}

fn card(name: &str) -> Card {
    let place = |names: &str, at: usize| names.find(&name[at..=at]).expect("a card") as u8;
    Card::new(place("A23456789TJQK", 0), place("HDCS", 1))
}

fn letter(place: Pos) -> char {
    let (first, at) = match place {
        Pos::Deck => (b'A', 0),
        Pos::Stack(suit) => (b'B', suit),
        Pos::Pile(pile) => (b'F', pile),
    };
    char::from(first + at)
}

fn answer(deal: &str, draws: NonZeroU8, microseconds: i64) -> String {
    let mut cards: Vec<Card> = deal.split_whitespace().map(card).collect();
    cards[N_PILE_CARDS.into()..].reverse(); // it turns the first card first
    let deck: CardDeck = cards.try_into().expect("52 cards");
    let begun = clock();
    let mut game = Solitaire::new(&deck, draws);
    let deadline = Deadline { at: begun + microseconds, visited: Cell::new(0) };
    let (result, moves) = solve_with_tracking(&mut game, &EmptySearchStats {}, &deadline);
    let verdict = match result {
        SearchResult::Solved => "solved",
        SearchResult::Unsolvable => "unsolvable",
        SearchResult::Terminated | SearchResult::Crashed => "undecided",
    };
    let mut text = format!("{verdict} {} any", clock() - begun);
    if let Some(moves) = moves {
        let steps = convert_moves(&mut StandardSolitaire::new(&deck, draws), &moves);
        let mut game = StandardSolitaire::new(&deck, draws);
        for step in steps.expect("legal moves") {
            if step != StandardMove::DRAW_NEXT {
                text.extend([' ', letter(step.from), letter(step.to)]);
            } else if game.get_deck().deck_iter().len() > 0 {
                text.push_str(" @"); // elsewhere the waste is turned over, which is part of the next draw
            }
            game.do_move(&step).expect("a legal move");
        }
    }
    text
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let draws: NonZeroU8 = words[1].parse().expect("DRAWS");
    let microseconds = (1e6 * words[2].parse::<f64>().expect("SECONDS")) as i64;
    let work = move || {
        for deal in std::io::stdin().lines() {
            println!("{}", answer(&deal.expect("text"), draws, microseconds));
        }
    };
    std::thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().unwrap();
}
