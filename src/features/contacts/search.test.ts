import { describe, expect, it } from 'vitest'
import { useServer } from '../../../test/server.ts'

describe('contact search', () => {
  const server = useServer()
  it('spec 5: one word, two words either order, phone digits, accents, literal % and _', async () => {
    const client = await server.as('admin')
    const add = (firstName: string, lastName: string, email: string | null, phone: string | null) => client.contacts.create({ firstName, lastName, email, phone })
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
