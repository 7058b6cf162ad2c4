/** The service's two times, in milliseconds. */
export interface Clock {
  /** What the clock on the wall says: windows and first sightings. */
  wall(): number;
  /**
   * Wall time that never goes back: leases and the journal. It follows jumps forward (a machine that slept), and where the wall clock
   * is set back it goes on at its own pace, so that a lease ends when it should.
   */
  steady(): number;
}

export function createClock(
  wall: () => number = Date.now,
  monotonic: () => number = () => performance.now(),
): Clock {
  let base = wall();
  let since = monotonic();
  return {
    wall,
    steady() {
      const elapsed = monotonic();
      const steady = Math.max(base + (elapsed - since), wall());
      base = steady;
      since = elapsed;
      return Math.floor(steady);
    },
  };
}
