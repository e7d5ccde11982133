const EVERY = 50; // milliseconds between two signals
const ALARM = 14; // SIGALRM

/** Let a running search handle a signal every 50 ms: Python checks this object wherever it would check for
    Ctrl-C.
    @type {(python: { setInterruptBuffer(buffer: { 0: number }): void }) => void} */
export function tick(python) {
  let last = 0;
  python.setInterruptBuffer({
    get 0() {
      const now = performance.now();
      if (now - last < EVERY) return 0;
      last = now;
      return ALARM;
    },
    set 0(_value) {},
  });
}
