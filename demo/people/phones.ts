import { areaCodes, type City } from './places.ts'
import { type Random, weighted } from '../random.ts'

/** North American exchanges, without 911 and the like. */
const exchanges = Array.from({ length: 800 }, (_, index) => index + 200).filter((exchange) => exchange % 100 !== 11 && exchange !== 555)

/** Up to this many numbers use the exchange 555, which is not assigned: someone trying the demo must not reach a real person. */
const maxIn555 = 25_000

type Spelling = (area: string, exchange: string, line: string) => string
const spellings = weighted<Spelling | 'extension'>([
  [(area, exchange, line) => `(${area}) ${exchange}-${line}`, 74],
  [(area, exchange, line) => `${area}-${exchange}-${line}`, 9],
  [(area, exchange, line) => `${area}${exchange}${line}`, 6],
  [(area, exchange, line) => `+1 ${area}-${exchange}-${line}`, 3],
  [(area, exchange, line) => `+1${area}${exchange}${line}`, 2],
  [(area, exchange, line) => `${area}.${exchange}.${line}`, 2],
  [(area, exchange, line) => `${area} ${exchange} ${line}`, 2],
  ['extension', 2],
])

/** Returns a generator of unique phone numbers in a city, formatted as people type them. `count`: how many there will be at most. */
export function createPhones(count: number, start: Random): (city: City, random: Random) => string {
  const usesAllExchanges = count > maxIn555
  const space = usesAllExchanges ? exchanges.length * 10_000 : 10_000
  const step = coprimeNear(Math.floor(space * 0.618_034), space)
  const next = new Map(areaCodes.map((code) => [code, start.int(0, space - 1)]))

  return (city, random) => {
    const area = random.pick(random.chance(0.93) ? city.areaCodes : areaCodes)
    const place = next.get(area)!
    next.set(area, (place + step) % space)
    const exchange = usesAllExchanges ? String(exchanges[Math.floor(place / 10_000)]) : '555'
    const line = String(place % 10_000).padStart(4, '0')
    const spelling = spellings(random)
    return spelling === 'extension' ? `(${area}) ${exchange}-${line} x${random.int(10, 499)}` : spelling(area, exchange, line)
  }
}

/** The next number coprime to `space`: steps of this size visit every position before repeating one. */
function coprimeNear(value: number, space: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
  return divisor(value, space) === 1 ? value : coprimeNear(value + 1, space)
}
