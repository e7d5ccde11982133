/* What winnable.wasm has beyond winnable.h: callbacks, which a module can only have as imports.

   `ask` is called with the engine at each poll of a search. `hear` is called with the engine and the address
   of an answer for each shorter line and each greater bound. Both return 0 to end the search. */
#include "../../solver/winnable.h"

#define IMPORT(name) __attribute__((import_module("winnable"), import_name(#name)))
#define EXPORT(name) __attribute__((export_name(#name), visibility("default")))

IMPORT(ask) extern int winnable_host_ask(winnable*);
IMPORT(hear) extern int winnable_host_hear(winnable*, const winnable_answer*);

static int ask(void* engine) { return winnable_host_ask(engine); }
static int hear(void* engine, const winnable_answer* answer) { return winnable_host_hear(engine, answer); }

/* Call `ask` of the host during the searches of an engine. */
EXPORT(winnable_on_host)
int winnable_on_host(winnable* engine) { return winnable_on_poll(engine, ask, engine); }

/* As `winnable_shorten`, with `hear` of the host as its listener. */
EXPORT(winnable_shorten_on_host)
int winnable_shorten_on_host(winnable* engine, const winnable_move* line, int count,
                             winnable_answer* answer) {
    return winnable_shorten(engine, line, count, hear, engine, answer);
}
