import pLimit from 'p-limit'

/** Handles items side by side: as many at a time as a test server has connections to its database. */
export const sideBySide = <Item, Result>(items: Iterable<Item>, handle: (item: Item) => Promise<Result>): Promise<Result[]> =>
  pLimit(4).map(items, handle)
