import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertContacts } from '../../../../test/factories.ts'
import { type Client, useServer } from '../../../../test/server.ts'

describe('contact search', () => {
  const server = useServer()
  it('finds one word, two words in either order, phone digits, accents, and literal % and _ (spec 5)', async () => {
    const client = await server.as('admin')
    const add = (firstName: string, lastName: string, email: string | null, phone: string | null) =>
      client.contacts.create({ firstName, lastName, email, phone })
    await add('Éloïse', 'Tremblay', 'eloise@fastmail.ca', '(905) 555-0142')
    await add('Łukasz', 'Kowal%1czyk', 'l_k@rogers.com', '647.555.0119')
    await add('Marie-Ève', 'Gagnon', null, '+1 905 555 0191 x204')
    const found = async (search: string) => (await client.contacts.list({ search })).data.map((row) => row.firstName)
    expect(await found('eloise')).toEqual(['Éloïse'])
    expect(await found('LOÏ')).toEqual(['Éloïse'])
    expect(await found('lukasz')).toEqual(['Łukasz'])
    expect(await found('tremblay éloïse')).toEqual(['Éloïse'])
    expect(await found('elo tremb')).toEqual(['Éloïse'])
    expect(await found('5550142')).toEqual(['Éloïse'])
    expect(await found('9050142')).toEqual(['Éloïse'])
    expect(await found('(905) 555')).toEqual(['Marie-Ève', 'Éloïse'])
    expect(await found('%')).toEqual(['Łukasz'])
    expect(await found('_')).toEqual(['Łukasz'])
    expect(await found('l%1')).toEqual(['Łukasz'])
    expect(await found('x204')).toEqual(['Marie-Ève'])
    expect(await found('zz')).toEqual([])
    expect(await found("o'b")).toEqual([])
  })
})

type Person = {
  id: string
  firstName: string
  lastName: string
  email: string | null
  phone: string | null
  otherEmails: string[]
  otherPhones: string[]
}

/** Folds case and accents, including letters that Unicode does not decompose. */
const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[łŁøØæÆßđĐ]/g, (letter) => ({ ł: 'l', Ł: 'L', ø: 'o', Ø: 'O', æ: 'ae', Æ: 'AE', ß: 'ss', đ: 'd', Đ: 'D' })[letter] ?? letter)
    .toLowerCase()
const digitsOf = (text: string) => text.replace(/[^0-9]/g, '')

/** The rule of spec 5 without an index. */
function searchNaively(people: Person[], search: string): Person[] {
  const term = fold(search.trim().replace(/ +/g, ' '))
  if (search.trim() === '') return people
  const typed = search.trim()
  const digits = /^[+(]?[\d\s().+-]*$/.test(typed) && digitsOf(typed).length >= 3 ? digitsOf(typed) : null
  const words = search.trim().split(/ +/).map(fold)
  const matches = (person: Person) => {
    const [first, last] = [fold(person.firstName), fold(person.lastName)]
    const phones = [person.phone ?? '', ...person.otherPhones]
    const fields = [first, last, ...[person.email ?? '', ...person.otherEmails, ...phones].map(fold), ...phones.map(digitsOf)]
    const anywhere = (wanted: string) => fields.some((field) => field.includes(wanted))
    const [one = '', two = ''] = words
    const asName =
      words.length === 2
        ? (first.includes(one) && last.includes(two)) || (first.includes(two) && last.includes(one))
        : words.length > 2 && words.every((word) => first.includes(word) || last.includes(word))
    return anywhere(term) || (digits !== null && anywhere(digits)) || asName
  }
  const found = people.filter(matches)
  if (found.length > 0 || digits === null) return found
  // No phone has the digits as typed, so match them in order with anything between (see term-sql.ts).
  const gapped = new RegExp([...digits].join('.*'))
  return people.filter((person) => [person.phone ?? '', ...person.otherPhones].some((phone) => gapped.test(digitsOf(phone))))
}

describe('search with generated names and terms (spec 5)', () => {
  const server = useServer()

  const letters = [...'aabeeilnorst', ...'éÉèöçñÅłŁøßæ', "'", '-', '%', '_', '\\', '"', '.', '1', '5', '中', '村', '😀', 'ﬁ', ' ']
  const name = fc
    .string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 9 })
    .map((text) => text.trim())
    .filter((text) => text !== '')
  const address = fc.string({ unit: fc.constantFrom(...'abeno15._%-'), minLength: 1, maxLength: 8 }).map((local) => `${local}@a-b.ca`)
  const number = fc.string({ unit: fc.constantFrom(...'0123455669', '(', ')', ' ', '-', '.', '+', 'x'), minLength: 1, maxLength: 14 })
  const [email, phone] = [fc.option(address), fc.option(number)]
  const few = (of: fc.Arbitrary<string>) => fc.oneof(fc.constant<string[]>([]), fc.array(of, { maxLength: 3 }))
  const person = fc.record({ firstName: name, lastName: name, email, phone, otherEmails: few(address), otherPhones: few(number) })
  /** Terms made from parts of existing values, so that some match, and random ones. */
  const termFor = (people: Omit<Person, 'id'>[]) => {
    const texts = people.flatMap((one) => [
      one.firstName,
      one.lastName,
      one.email ?? 'x',
      one.phone ?? '1',
      ...one.otherEmails,
      ...one.otherPhones,
      // Spans two numbers, so it matches no one.
      [one.phone, ...one.otherPhones].map((text) => text?.slice(-3)).join(' '),
    ])
    const part = fc.tuple(fc.constantFrom(...texts), fc.nat(), fc.nat()).map(([text, from, length]) => {
      const characters = [...text]
      const start = from % characters.length
      return characters.slice(start, start + 1 + (length % characters.length)).join('')
    })
    const plain = part.map((text) => text.normalize('NFKD').replace(/[\u0300-\u036f]/g, ''))
    const digits = fc
      .constantFrom(...texts.map(digitsOf).filter((text) => text.length > 2), '555')
      .chain((all) => fc.subarray([...all], { minLength: 1 }).map((kept) => kept.join('')))
    return fc.oneof(
      part,
      plain,
      part.map((text) => text.toUpperCase()),
      fc.tuple(part, plain).map((words) => words.join(' ')),
      fc.tuple(part, part, part).map((words) => ` ${words.join('  ')} `),
      digits,
      digits.map((text) => `(${text.slice(0, 3)}) ${text.slice(3)}`),
      name,
      phone.map((text) => text ?? '%'),
    )
  }

  it('finds what a naive search over all contacts finds, newest first, with the right total', async () => {
    const client = await server.as('admin')
    const everyone: Person[] = []
    await fc.assert(
      fc.asyncProperty(
        fc
          .array(person, { minLength: 1, maxLength: 6 })
          .chain((people) => fc.record({ people: fc.constant(people), terms: fc.array(termFor(people), { minLength: 6, maxLength: 6 }) })),
        async ({ people, terms }) => {
          const ids = await insertContacts(server, people)
          everyone.unshift(...people.map((one, i) => ({ ...one, id: ids[i] ?? '' })).toReversed())
          const check = async (search: string) => {
            const expected = searchNaively(everyone, search).map(({ id }) => id)
            const [page, count] = await Promise.all([client.contacts.list({ search, limit: 200 }), client.contacts.count({ search })])
            const show = (found: string[]) =>
              found
                .map((id) => everyone.find((one) => one.id === id))
                .map((one) => one && [one.firstName, one.lastName, one.email, one.phone, one.otherEmails, one.otherPhones])
            expect([search, show(page.data.map(({ id }) => id))]).toEqual([search, show(expected.slice(0, 200))])
            expect([search, page.total, page.totalIsExact]).toEqual([search, expected.length, true])
            expect([search, count]).toEqual([search, { total: expected.length }])
          }
          await Promise.all(terms.map(check))
        },
      ),
      { numRuns: 30, seed: 20_261_121 },
    )
  })
})

describe('search across several index blocks (see search.ts)', () => {
  const server = useServer()
  let client: Client
  /** Newest first. Sequence numbers are 500 apart, so that 3,000 contacts span twelve blocks of 131,072. */
  let spread: { id: string; i: number }[]
  let dense: string[]
  let elders: string[]
  let legion: string[]
  const rare = new Set([3, 1_499, 2_998])
  const inLetters = (i: number) => [...String(i)].map((digit) => 'qrstuvwxyz'[Number(digit)]).join('')

  beforeAll(async () => {
    client = await server.as('admin')
    // Building the index once takes a fraction of adding 14,500 rows to it.
    const [index] = await server.rows<{ create: string }>(`select pg_get_indexdef('contacts_search'::regclass) as create`)
    await server.rows('drop index contacts_search')
    const lastNames = ['Thousand', 'Ninehundred', 'Beyond']
    const contacts = Array.from({ length: 3_000 }, (_, i) => ({
      firstName: rare.has(i) ? 'Raretest Common' : 'Common',
      // 1,000 Thousand, 999 Ninehundred, 1,001 Beyond
      lastName: i === 1 ? 'Beyond' : (lastNames[i % 3] ?? ''),
      phone: `416${String(i).padStart(7, '0')}`,
      stage: i % 10 === 0 ? 'contacted' : 'lead',
      seq: (i + 1) * 500,
    }))
    const ids = await insertContacts(server, contacts)
    spread = ids.map((id, i) => ({ id, i })).toReversed()
    // All in one block, over several of its small blocks of 4,096.
    const denseIds = await insertContacts(
      server,
      Array.from({ length: 6_000 }, (_, i) => ({ firstName: 'Crowd', lastName: inLetters(i), seq: 1_600_001 + i * 2 })),
    )
    dense = denseIds.toReversed()
    // Among the oldest, spanning three blocks.
    const oldIds = await insertContacts(
      server,
      Array.from({ length: 2_500 }, (_, i) => ({ firstName: 'Elder', lastName: inLetters(i), seq: 40_001 + i * 40 })),
    )
    elders = oldIds.toReversed()
    // So many around a sampled block of the older contacts that the estimate exceeds the real number.
    const legionIds = await insertContacts(
      server,
      Array.from({ length: 3_000 }, (_, i) => ({ firstName: 'Legion', lastName: inLetters(i), seq: 280_005 + i * 10 })),
    )
    legion = legionIds.toReversed()
    await server.rows(index!.create)
  })

  const page = async (search: string, number = 1, limit = 50, more: { stageId?: string } = {}) => {
    const { data, total, totalIsExact } = await client.contacts.list({ search, page: number, limit, ...more })
    return { ids: data.map(({ id }) => id), total, totalIsExact }
  }
  const idsWhere = (matches: (i: number) => boolean) => spread.filter(({ i }) => matches(i)).map(({ id }) => id)
  const slice = (ids: string[], number: number, limit: number) => ids.slice((number - 1) * limit, number * limit)

  it('returns all matches of a rare term, newest first, in pages', async () => {
    const ids = idsWhere((i) => rare.has(i))
    expect(await page('raretest')).toEqual({ ids, total: 3, totalIsExact: true })
    expect(await page('raretest', 2, 2)).toEqual({ ids: ids.slice(2), total: 3, totalIsExact: true })
    expect(await page('raretest', 2)).toEqual({ ids: [], total: 3, totalIsExact: true })
    expect(await page('common raretest')).toEqual({ ids: [], total: 0, totalIsExact: true })
    expect(await page('beyond raretest', 1, 50)).toMatchObject({ totalIsExact: true })
  })

  it.each([1, 2, 20, 21, 37, 60])(
    'returns page %i of a common term, with a lower bound as total until every match is read',
    async (number) => {
      const ids = idsWhere(() => true)
      const found = await page('common', number)
      expect(found.ids).toEqual(slice(ids, number, 50))
      expect(found).toMatchObject({ totalIsExact: number === 60, total: Math.max(1_000, number * 50) })
    },
  )

  it('returns an exact total past the end of a common term', async () => {
    expect(await page('common', 61)).toEqual({ ids: [], total: 3_000, totalIsExact: true })
    expect(await page('common', 16, 200)).toEqual({ ids: [], total: 3_000, totalIsExact: true })
  })

  it('counts 999 and 1,000 matches exactly, and 1,001 as a lower bound', async () => {
    const last = (i: number) => (i === 1 ? 2 : i % 3)
    expect(await page('ninehundred')).toEqual({
      ids: slice(
        idsWhere((i) => last(i) === 1),
        1,
        50,
      ),
      total: 999,
      totalIsExact: true,
    })
    expect(await page('thousand')).toEqual({
      ids: slice(
        idsWhere((i) => last(i) === 0),
        1,
        50,
      ),
      total: 1_000,
      totalIsExact: true,
    })
    expect(await page('beyond')).toEqual({
      ids: slice(
        idsWhere((i) => last(i) === 2),
        1,
        50,
      ),
      total: 1_000,
      totalIsExact: false,
    })
    expect(await page('thousand', 20)).toMatchObject({
      ids: slice(
        idsWhere((i) => last(i) === 0),
        20,
        50,
      ),
      total: 1_000,
      totalIsExact: true,
    })
    expect(await page('beyond', 21)).toEqual({ ids: [idsWhere((i) => last(i) === 2).at(-1)], total: 1_001, totalIsExact: true })
  })

  it('does not take a few clusters in the samples for many matches', async () => {
    // Twelve in each of two of the four sampled small blocks, none elsewhere.
    const [{ blocks }] = (await server.rows<{ blocks: number }>('select (last_value >> 15)::int + 1 as blocks from contacts_seq_seq')) as [
      { blocks: number },
    ]
    const firstSeqs = [1, 5].map((part) => Math.floor((blocks * part * 16) / 8) * 2_048 + 1)
    await insertContacts(
      server,
      firstSeqs.flatMap((first) => Array.from({ length: 12 }, (_, i) => ({ firstName: 'Bundle', lastName: 'Two', seq: first + 3 * i }))),
    )
    expect(await page('bundle', 1, 10)).toMatchObject({ total: 24, totalIsExact: true })
  })

  it('counts exactly through the count call', async () => {
    for (const [search, total] of [
      ['common', 3_000],
      ['thousand', 1_000],
      ['beyond', 1_001],
      ['crowd', 6_000],
      ['raretest', 3],
      ['nobody', 0],
    ] as const) {
      expect([search, await client.contacts.count({ search })]).toEqual([search, { total }])
    }
  })

  it.each([1, 2, 7, 20, 21, 60, 120])('returns page %i newest first from a block with more matches than are counted', async (number) => {
    expect((await page('crowd', number)).ids).toEqual(slice(dense, number, 50))
  })

  it.each([1, 2, 20, 21, 37, 50])('returns page %i newest first of old matches only, more than are counted', async (number) => {
    const found = await page('elder', number)
    expect(found.ids).toEqual(slice(elders, number, 50))
    expect(found).toMatchObject({ totalIsExact: number === 50, total: Math.max(1_000, number * 50) })
    expect(await page('elder', 51)).toEqual({ ids: [], total: 2_500, totalIsExact: true })
  })

  it.each([1, 2, 20, 21, 37, 60])('returns page %i newest first of old matches that the sample overestimates', async (number) => {
    const found = await page('legion', number)
    expect(found.ids).toEqual(slice(legion, number, 50))
    expect(found).toMatchObject({ totalIsExact: number === 60, total: Math.max(1_000, number * 50) })
    expect(await page('legion', 61)).toEqual({ ids: [], total: 3_000, totalIsExact: true })
  })

  it('continues from a crowded block into the blocks before it', async () => {
    const everyone = [...dense, ...spread.map(({ id }) => id)]
    for (const number of [1, 30, 31, 45]) expect((await page('c', number, 200)).ids).toEqual(slice(everyone, number, 200))
    expect((await page('c', 46, 200)).ids).toEqual([])
  })

  it('combines the search with a stage filter in rows, total and pages', async () => {
    const stageId = (await client.pipeline.stages()).find(({ value }) => value === 'contacted')?.id ?? ''
    const ids = idsWhere((i) => i % 10 === 0)
    expect(await page('common', 1, 50, { stageId })).toEqual({ ids: ids.slice(0, 50), total: 300, totalIsExact: true })
    expect(await page('common', 6, 50, { stageId })).toEqual({ ids: ids.slice(250), total: 300, totalIsExact: true })
    expect(await page('crowd', 1, 50, { stageId })).toEqual({ ids: [], total: 0, totalIsExact: true })
  })

  it('matches phone digits as typed, or in order with gaps only when no number has them as typed', async () => {
    const withPhone = (test: (phone: string) => boolean) => idsWhere((i) => test(`416${String(i).padStart(7, '0')}`))
    expect((await page('4160002999')).ids).toEqual(withPhone((phone) => phone === '4160002999'))
    expect((await page('(416) 000-2999')).ids).toEqual(withPhone((phone) => phone === '4160002999'))
    expect((await page('2999')).ids).toEqual(withPhone((phone) => phone.includes('2999')))
    const gapped = withPhone((phone) => /4.*6.*2.*9.*9.*9/.test(phone))
    expect(gapped.length).toBeGreaterThan(0)
    expect((await page('462999')).ids).toEqual(gapped.slice(0, 50))
  })

  it('finds seven digits in a row and more in a number, an email or a name, from any digit on', async () => {
    const { id } = await client.contacts.create({
      firstName: 'Room 73105284',
      lastName: 'Digits',
      email: 'lab.884422661199@rogers.com',
      otherPhones: ['+44 20 7946 0958 x 3'],
    })
    for (const term of ['88442266', '8442266', '884422661199', '2266119', '73105284', '3105284', '79460958', '(207) 946-0958'])
      expect([term, (await page(term)).ids]).toEqual([term, [id]])
    for (const term of ['8844226611990', '884422669', '099999173105']) expect([term, (await page(term)).ids]).toEqual([term, []])
  })

  it('sorts a common term in other orders than newest first', async () => {
    const oldest = await client.contacts.list({ search: 'common', sort: 'oldest', page: 3, limit: 100 })
    expect(oldest.data.map(({ id }) => id)).toEqual(
      spread
        .toReversed()
        .slice(200, 300)
        .map(({ id }) => id),
    )
    const named = await client.contacts.list({ search: 'crowd', sort: 'name', page: 1, limit: 3 })
    expect(named.data.map(({ lastName }) => lastName)).toEqual([0, 1, 10].map(inLetters))
  })

  it('finds a newly added patient at once, and first', async () => {
    const { id } = await client.contacts.create({ firstName: 'Common', lastName: 'Newcomer' })
    expect((await page('common')).ids[0]).toBe(id)
    await client.contacts.update({ id, version: 1, firstName: 'Renamed' })
    expect([(await page('newcomer common')).ids, (await page('renamed newcomer')).ids]).toEqual([[], [id]])
    await client.contacts.delete({ id })
    expect((await page('newcomer')).ids).toEqual([])
  })
})
