//! Driver of the library of sigoden/klondike: answers for many deals in one process, with the processor time of
//! each search.
//!
//! Build: mkdir -p KLONDIKE/klondike-solver/examples && cp sigoden_klondike.rs
//! KLONDIKE/klondike-solver/examples/driver.rs && cd KLONDIKE/klondike-solver && cargo build --release --example driver
//!
//! Run as `driver fewest|any DRAWS STATES`: its only limit is a number of states, for which it reserves memory
//! at the start of each search. A line of input is a deal: 52 cards, column by column from the deepest card on,
//! then the stock, whose last card is turned first. A line of output is its answer: a verdict, microseconds,
//! `fewest` if it calls the number of moves minimal or `any`, and the moves of a solution in the
//! notation of MinimalKlondike.

use klondike_common::action::{apply_action, Action};
use klondike_common::board::{Board, Card};
use klondike_solver::solve;

const SUITS: &str = "DCHS"; // in its numbers of cards
const FOUNDATIONS: [char; 4] = ['C', 'B', 'E', 'D']; // of these suits in the notation

unsafe extern "C" {
    /// The processor time of this process, in microseconds on POSIX systems.
    safe fn clock() -> std::ffi::c_long;
}

fn card(name: &str) -> Card {
    let place = |names: &str, at: usize| names.find(&name[at..=at]).expect("a card") as u8;
    Card::new_with_rank_suit(place("A23456789TJQK", 0), place(SUITS, 1))
}

fn board(deal: &str, draws: usize) -> Board {
    let mut cards = deal.split_whitespace().map(card);
    let mut board = Board::new();
    for (column, tableau) in board.tableaus.iter_mut().enumerate() {
        tableau.cards = cards.by_ref().take(column + 1).collect();
        tableau.face_up_count = 1;
    }
    board.stock = cards.collect();
    board.set_draw_count(draws);
    board
}

/// A move, two letters of places or a draw; None for turning the waste over, which is part of the next draw.
fn token(board: &Board, action: Action) -> Option<String> {
    let tableau = |at: usize| char::from(b'F' + at as u8);
    let foundation = |card: &Card| FOUNDATIONS[card.suit() as usize];
    let top = |at: usize| foundation(board.tableaus[at].peek_top().expect("a card"));
    let (source, target) = match action {
        Action::Redeal => return None,
        Action::Draw => return Some("@".to_string()),
        Action::WasteToFoundation(_) => ('A', foundation(board.waste.last().expect("a card"))),
        Action::WasteToTableau(to) => ('A', tableau(to)),
        Action::TableauToFoundation(from, _) => (tableau(from), top(from)),
        Action::FoundationToTableau(from, to) => {
            (foundation(board.foundations[from].as_ref().expect("a card")), tableau(to))
        }
        Action::TableauToTableau(from, to, _) => (tableau(from), tableau(to)),
    };
    Some(format!("{source}{target}"))
}

fn answer(deal: &str, fewest: bool, draws: usize, states: u32) -> String {
    let mut board = board(deal, draws);
    let begun = clock();
    let found = solve(board.clone(), states, fewest);
    let microseconds = clock() - begun;
    match found {
        Err(error) if error.to_string() == "No solution found." => format!("unsolvable {microseconds} any"),
        Err(_) => format!("undecided {microseconds} any"),
        Ok(result) => {
            let claim = if result.minimal { "fewest" } else { "any" };
            let mut text = format!("solved {microseconds} {claim}");
            for action in result.actions {
                if let Some(move_) = token(&board, action) {
                    text.push(' ');
                    text.push_str(&move_);
                }
                apply_action(&mut board, &action);
            }
            text
        }
    }
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let fewest = words[1] == "fewest";
    let (draws, states) = (words[2].parse().expect("DRAWS"), words[3].parse().expect("STATES"));
    for deal in std::io::stdin().lines() {
        println!("{}", answer(&deal.expect("text"), fewest, draws, states));
    }
}
