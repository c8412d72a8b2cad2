/**
 * Loaded before a server (`node --import`): its clock continues from when the clinic was filled, so that queries over the last 30 days find data.
 * The clocks of the database and of the benchmark are unchanged.
 */
const ahead = Number(process.env.BENCH_CLOCK_AHEAD)

globalThis.Date = new Proxy(Date, {
  construct: (RealDate, given: unknown[], target) =>
    Reflect.construct(RealDate, given.length > 0 ? given : [RealDate.now() + ahead], target) as object,
  get: (RealDate, key) => (key === 'now' ? () => RealDate.now() + ahead : (Reflect.get(RealDate, key) as unknown)),
})
