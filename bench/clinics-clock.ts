/**
 * Loaded before a server (`node --import`): its clock goes on from the moment at which the clinic was filled, so that what is asked of the last
 * 30 days finds a clinic at work. Those of the database and of the benchmark stay.
 */
const ahead = Number(process.env.BENCH_CLOCK_AHEAD)

globalThis.Date = new Proxy(Date, {
  construct: (RealDate, given: unknown[], target) =>
    Reflect.construct(RealDate, given.length > 0 ? given : [RealDate.now() + ahead], target) as object,
  get: (RealDate, key) => (key === 'now' ? () => RealDate.now() + ahead : (Reflect.get(RealDate, key) as unknown)),
})
