import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { definitionOf, publishConsent, republish } from '../../../test/chart/consent-forms.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { checkDefinition, type ConsentDefinition } from './definition-rules.ts'
import { starterNames, type StarterKey } from './starter-rules.ts'
import { starters } from './starters.ts'

const server = useServer()
let admin: Client
beforeAll(async () => void (admin = await server.as('admin')))

const photos: Partial<ConsentDefinition> = { use: 'photos', scopes: ['chart'] }

describe('templates of consent forms', () => {
  it.each(Object.keys(starterNames) as StarterKey[])(
    'offers the starter %s as a draft that lacks nothing but procedures',
    async (starter) => {
      const template = await admin.consentForms.createTemplate({ starter })
      expect(template).toMatchObject({ starter, published: null, draft: { number: 1, revision: 1, publishedAt: null } })
      expect(checkDefinition(template.draft!.definition).filter(({ code }) => code !== 'NO_PROCEDURE')).toEqual([])
    },
  )

  it('chooses procedures with a fitting name for a starter', async () => {
    const { id } = await admin.procedures.create({ name: `Septorhinoplasty ${randomUUID()}` })
    const { draft } = await admin.consentForms.createTemplate({ starter: 'rhinoplasty' })
    expect(draft!.definition.procedureIds).toContain(id)
    expect(draft!.definition.clauses).toEqual(starters.rhinoplasty.definition.clauses)
  })

  it('publishes versions with who and when, and keeps the published one', async () => {
    const first = await publishConsent(admin, { ...photos })
    expect(first).toMatchObject({ draft: null, published: { number: 1, publishedBy: expect.any(String), mustResign: false } })
    const second = await republish(admin, first.id, { ...photos, needsWitness: true }, true)
    expect(second).toMatchObject({ draft: null, published: { number: 2, mustResign: true, definition: { needsWitness: true } } })
    const change = (what: string) => server.rows(`${what} where id = $1`, [first.published!.id])
    await expect(change("update consent_template_versions set definition = '{}'")).rejects.toThrow(/stays as it is/)
    await expect(change('delete from consent_template_versions')).rejects.toThrow(/stays as it is/)
  })

  it('refuses to save or publish over a revision that someone else has changed', async () => {
    const { id } = await admin.consentForms.createTemplate({})
    await admin.consentForms.saveDraft({ id, revision: 1, definition: definitionOf(photos) })
    expect((await refusal(admin.consentForms.saveDraft({ id, revision: 1, definition: definitionOf() }))).code).toBe('CONFLICT')
    expect((await refusal(admin.consentForms.publish({ id, revision: 1 }))).code).toBe('CONFLICT')
  })

  it.each([
    [
      'an unknown field',
      { ...photos, intro: { en: 'I, {{name}}', fr: 'Je, {{patient_name}}' } },
      { at: null, field: 'intro', code: 'UNKNOWN_FIELD' },
    ],
    [
      'braces that are no field',
      { ...photos, intro: { en: 'I, {{patient_name', fr: 'Je' } },
      { at: null, field: 'intro', code: 'UNKNOWN_FIELD' },
    ],
    ['a missing French text', { ...photos, title: { en: 'Consent', fr: ' ' } }, { at: null, field: 'title', code: 'NO_FRENCH' }],
    ['no procedure', { procedureIds: [] }, { at: null, field: 'procedureIds', code: 'NO_PROCEDURE' }],
    ['an unknown procedure', { procedureIds: [randomUUID()] }, { at: null, field: 'procedureIds', code: 'UNKNOWN_PROCEDURE' }],
    ['no use of photos', { ...photos, scopes: [] }, { at: null, field: 'scopes', code: 'NO_SCOPE' }],
    ['no clause', { ...photos, clauses: [] }, { at: null, field: 'clauses', code: 'NO_CLAUSE' }],
  ])('refuses to publish %s, and names the place', async (_name, given, problem) => {
    const { id } = await admin.consentForms.createTemplate({})
    const { draft } = await admin.consentForms.saveDraft({ id, revision: 1, definition: definitionOf(given) })
    const answer = await refusal(admin.consentForms.publish({ id, revision: draft!.revision }))
    expect([answer.code, (answer.data as { problems?: unknown }).problems]).toEqual(['NOT_PUBLISHABLE', [problem]])
    expect((await admin.consentForms.template({ id })).published).toBeNull()
  })

  it('names the field of input that is wrong', async () => {
    const { id } = await admin.consentForms.createTemplate({})
    const definition = { ...definitionOf(), use: 'always' } as never
    expect((await refusal(admin.consentForms.saveDraft({ id, revision: 1, definition }))).data.fields).toEqual({
      'definition.use': 'Choose when it is used',
    })
  })
})
