import { type Random, weighted } from '../random.ts'

type City = { name: string; postal: string[]; areaCodes: string[]; far?: true; bilingual?: true }
export type Address = { address: string; city: string; state: string; zipCode: string }

const city = (name: string, postal: string, areaCodes: string, rest: Pick<City, 'far' | 'bilingual'> = {}): City => ({
  name,
  postal: postal.split(' '),
  areaCodes: areaCodes.split(' '),
  ...rest,
})

/** Area codes of the regions around the western end of Lake Ontario, where the clinic is. */
const [halton, toronto, grand, east, north] = [
  '905 905 905 289 289 365 742',
  '416 416 647 647 437',
  '519 519 226 548',
  '613 613 343',
  '705 705 249',
]

const cities: [City, number][] = [
  [city('Oakville', 'L6H L6J L6K L6L L6M', halton), 24],
  [city('Burlington', 'L7L L7M L7N L7P L7R L7S L7T', halton), 14],
  [city('Mississauga', 'L4W L4Z L5A L5B L5G L5H L5J L5L L5M L5N L5V', `${halton} 647`), 14],
  [city('Milton', 'L9T L9E', halton), 7],
  [city('Hamilton', 'L8E L8L L8P L8S L9A L9C', halton), 6],
  [city('Ancaster', 'L9G L9K', halton), 2],
  [city('Toronto', 'M1S M2N M3C M4E M4K M4S M5A M5M M5V M6G M6P M8V M8X M9A', toronto), 11],
  [city('Brampton', 'L6P L6R L6S L6X L6Y L7A', halton), 5],
  [city('Georgetown', 'L7G', halton), 2],
  [city('Vaughan', 'L4H L4J L4K L4L', halton), 3],
  [city('Markham', 'L3P L3R L3S L6C L6E', halton), 2],
  [city('Guelph', 'N1C N1E N1G N1H N1K N1L', grand), 2],
  [city('Kitchener', 'N2A N2E N2G N2M N2P N2R', grand), 2],
  [city('Waterloo', 'N2J N2K N2L N2T N2V', grand), 1.5],
  [city('Cambridge', 'N1P N1R N1S N3C N3H', grand), 1.5],
  [city('Brantford', 'N3P N3R N3S N3T', grand), 1],
  [city('St. Catharines', 'L2M L2N L2P L2R L2S L2T', halton), 1.5],
  [city('Niagara Falls', 'L2E L2G L2H L2J', halton), 1],
  [city('Grimsby', 'L3M', halton), 1],
  [city('Oshawa', 'L1G L1H L1J L1K', halton), 1],
  [city('Whitby', 'L1M L1N L1P L1R', halton), 1],
  [city('Barrie', 'L4M L4N L9J', north), 1.2],
  [city('London', 'N5V N5X N6A N6C N6G N6H N6K', grand, { far: true }), 1.5],
  [city('Windsor', 'N8N N8P N8W N9A N9E N9G', grand, { far: true }), 0.6],
  [city('Kingston', 'K7K K7L K7M K7P', east, { far: true }), 0.7],
  [city('Peterborough', 'K9H K9J K9K', north, { far: true }), 0.4],
  [city('Sault Ste. Marie', 'P6A P6B P6C', north, { far: true }), 0.3],
  [city('Thunder Bay', 'P7A P7B P7C P7E', '807', { far: true }), 0.3],
  [city('North Bay', 'P1A P1B', `${north} 683`, { far: true, bilingual: true }), 0.4],
  [city('Sudbury', 'P3A P3B P3C P3E', north, { far: true, bilingual: true }), 0.7],
  [city('Timmins', 'P4N P4P', north, { far: true, bilingual: true }), 0.3],
  [city('Ottawa', 'K1H K1N K1S K1V K1Y K2A K2B K2C', east, { far: true, bilingual: true }), 1],
  [city('Orléans', 'K1C K1E K1W K4A', east, { far: true, bilingual: true }), 0.7],
  [city('Hawkesbury', 'K6A', east, { far: true, bilingual: true }), 0.3],
  [city('Rockland', 'K4K', east, { far: true, bilingual: true }), 0.2],
  [city('Cornwall', 'K6H K6J', `${east} 753`, { far: true, bilingual: true }), 0.2],
  [city('Orillia', 'L3V', '705 249 382', { far: true }), 0.3],
]
const anyCity = weighted(cities)
const bilingualCity = weighted(cities.filter(([{ bilingual }]) => bilingual))

export const pickCity = (random: Random, french: boolean): City => (french && random.chance(0.4) ? bilingualCity : anyCity)(random)

/** All area codes of the cities. */
export const areaCodes = [...new Set(cities.flatMap(([{ areaCodes }]) => areaCodes))].toSorted()

const streets =
  `Lakeshore Rd E, Lakeshore Rd W, Maple Grove Dr, Trafalgar Rd, Kerr St, Rebecca St, Dorval Dr, Bronte Rd, Third Line, Sixth Line, Upper Middle Rd W,
  Glenashton Dr, River Oaks Blvd E, Sunningdale Dr, Devon Rd, Chartwell Rd, Ford Dr, Brant St, Plains Rd E, Guelph Line, Walkers Line, New St,
  Maple Ave, Elgin St, King St W, King St E, Queen St S, Main St E, Main St N, Church St, Mill St, Ontario St S, Derry Rd W, Scott Blvd,
  Thompson Rd S, Hurontario St, Mississauga Rd, Burnhamthorpe Rd W, Glen Erin Dr, Winston Churchill Blvd, Eglinton Ave W, Erin Mills Pkwy,
  Bloor St W, Dundas St W, Dundas St E, Roncesvalles Ave, Danforth Ave, Lawrence Ave E, Yonge St, Bayview Ave, Wilson St E, Garner Rd,
  Fennell Ave W, Stone Church Rd E, Mohawk Rd W, Wellington St, Victoria Ave, Albert St, Birchmount Cres, Cedarbrae Crt, Hawthorne Pl,
  Pinehurst Way, Oakhaven Cres, Silver Birch Trail, Old Orchard Lane, Mapleview Terr, Heritage Way, Blue Heron Gate, Millcroft Park Dr`.split(
    /,\s+/,
  )

/** Letters used in Canadian postal codes. */
const letters = 'ABCEGHJKLMNPRSTVWXYZ'.split('')

/** An address in the city, as people type it. */
export function addressIn({ name, postal }: City, random: Random): Address {
  const street = `${random.int(1, 9) * 10 ** random.int(0, 2) * 2 + random.int(1, 99)} ${random.pick(streets)}`
  const address = random.chance(0.18) ? `${street}, Unit ${random.int(1, 24)}${String(random.int(1, 15)).padStart(2, '0')}` : street
  const code = `${random.pick(postal)} ${random.int(0, 9)}${random.pick(letters)}${random.int(0, 9)}`
  const zipCode = random.chance(0.06) ? code.replace(' ', '').toLowerCase() : code
  return { address, city: name, state: random.chance(0.03) ? 'Ontario' : 'ON', zipCode }
}
export type { City }
