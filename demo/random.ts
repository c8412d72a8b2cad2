/** A random number generator that gives the same sequence for the same seed on every machine. */
export type Random = {
  /** From 0 (inclusive) to 1 (exclusive). */
  next: () => number
  /** A whole number from `min` to `max`, both inclusive. */
  int: (min: number, max: number) => number
  chance: (probability: number) => boolean
  pick: <Item>(items: readonly Item[]) => Item
  /** The given number of bits (at most 32) as a whole number. */
  bits: (count: number) => number
}

/** sfc32: small, fast, with a period far beyond the needs of a million patients. */
export function createRandom(seed: number): Random {
  let [a, b, c, counter] = [0x9e3779b9 ^ seed, 0x243f6a88 + Math.floor(seed / 2 ** 32), 0xb7e15162, 1]
  const word = () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }
  for (let i = 0; i < 16; i++) word()

  const next = () => word() / 2 ** 32
  return {
    next,
    int: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability) => next() < probability,
    pick: (items) => items[Math.floor(next() * items.length)]!,
    bits: (count) => word() >>> (32 - count),
  }
}

/** Returns a function that picks an item by weight; the weights need not sum to anything. */
export function weighted<Item>(entries: readonly (readonly [Item, number])[]): (random: Random) => Item {
  let total = 0
  const steps = entries.map(([item, weight]) => [item, (total += weight)] as const)
  return (random) => {
    const at = random.next() * total
    for (const [item, upTo] of steps) if (at < upTo) return item
    return steps.at(-1)![0]
  }
}

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')

/** A version 7 UUID; `order` (at most 4095) orders ids of the same instant. */
export function uuidv7(instant: number, order: number, random: Random): string {
  const time = hex(instant, 12)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(order, 3)}-${hex(0x8000 | random.bits(14), 4)}-${hex(random.bits(32), 8)}${hex(random.bits(16), 4)}`
}
