import { describe, expect, it } from 'vitest'
import { databaseFingerprint } from '../../../../test/database-fingerprint.ts'
import { insertContact } from '../../../../test/factories.ts'
import { refusal } from '../../../../test/refusal.ts'
import { useSurgeryPractice } from '../../../../test/care/surgeries.ts'
import { currentAnswers, itemsOfPhase, nextPhase, phaseProblems, type SafetyPhase, safetyItems, safetyPhases } from '../safety-rules.ts'

const theatre = useSurgeryPractice()
const { server, operate } = theatre
/** Friday, November 20, 2026 at 8:00 in Toronto; the tests' clock is on the day after. */
const yesterday = '2026-11-20T13:00:00Z'

async function prepare(given: { startsAt?: string; dateOfBirth?: string | null } = {}) {
  const { startsAt = yesterday, dateOfBirth = '1984-03-04' } = given
  const contactId = await insertContact(server)
  await server.rows('update contacts set date_of_birth = $2 where id = $1', [contactId, dateOfBirth])
  const surgery = await operate({ contactId, startsAt, status: 'confirmed' })
  return { id: surgery.id, contactId }
}

/** Answers all items of a phase with the first answer that does not stop. */
async function answerAll(id: string, phase: SafetyPhase, except: readonly string[] = []) {
  const surgeon = await server.as('provider')
  let checklist = await surgeon.safetyChecklists.get({ id })
  for (const { id: item, answers, stops } of itemsOfPhase(phase)) {
    if (except.includes(item)) continue
    const answer = (Object.keys(answers) as (keyof typeof answers)[]).find((one) => one !== stops)!
    checklist = await surgeon.safetyChecklists.answer({ id, item, answer })
  }
  return {
    surgeon,
    checklist,
    lastAnswerId: checklist.answers.at(-1)!.id,
    identity: checklist.identity as { name: string; dateOfBirth: string },
  }
}

async function confirm(id: string, phase: SafetyPhase) {
  const { surgeon, lastAnswerId, identity } = await answerAll(id, phase)
  return surgeon.safetyChecklists.confirm({ id, phase, lastAnswerId, identity: phase === 'sign_out' ? null : identity })
}

const complete = (id: string, version = 1) => theatre.desk.surgeries.setStatus({ id, version, status: 'completed' })

describe('the surgical safety checklist', () => {
  it('blocks completion until all three phases are confirmed, in order (issue 27)', async () => {
    const { id } = await prepare()
    for (const phase of safetyPhases) {
      const before = await databaseFingerprint(server)
      const refused = await refusal(complete(id))
      expect([refused.code, refused.status]).toEqual(['SAFETY_CHECKLIST', 409])
      expect(refused.data).toEqual({ open: safetyPhases.slice(safetyPhases.indexOf(phase)) })
      expect(await databaseFingerprint(server)).toEqual(before)
      const checklist = await confirm(id, phase)
      expect(checklist.phases.find((one) => one.phase === phase)).toMatchObject({ outcome: 'confirmed', reason: null })
    }
    const surgery = await complete(id)
    expect(surgery.status).toBe('completed')
    expect(surgery.safety.map(({ phase, outcome }) => [phase, outcome])).toEqual(safetyPhases.map((phase) => [phase, 'confirmed']))
  })

  it('is waived with a reason, which everyone who sees the surgery learns of, but not why (issue 27)', async () => {
    const { id, contactId } = await prepare()
    await confirm(id, 'sign_in')
    const surgeon = await server.as('provider')
    expect((await refusal(surgeon.safetyChecklists.waive({ id, reason: ' ' }))).data.fields).toEqual({ reason: 'Enter a reason' })
    const checklist = await surgeon.safetyChecklists.waive({ id, reason: 'Zqreason: power cut, done on paper' })
    expect(checklist.phases.map(({ outcome }) => outcome)).toEqual(['confirmed', 'waived', 'waived'])
    expect((await refusal(surgeon.safetyChecklists.waive({ id, reason: 'Again' }))).code).toBe('CLOSED')
    const surgery = await complete(id)
    expect(surgery.safety.map(({ outcome }) => outcome)).toEqual(['confirmed', 'waived', 'waived'])
    expect(JSON.stringify(surgery)).not.toContain('Zqreason')
    const log = await server.rows<{ action: string; after: { outcome?: string; reason?: string } }>(
      "select action, after from audit_log where kind = 'safety checklist' and action = 'changed' and contact_ids = array[$1]::uuid[] order by id",
      [contactId],
    )
    expect(log.map(({ after }) => after.outcome)).toEqual(['confirmed', 'waived', 'waived'])
  })

  it('keeps every answer with its author, and refuses all that comes after a phase is confirmed (issue 27)', async () => {
    const { id } = await prepare()
    const { surgeon } = await answerAll(id, 'sign_in')
    await surgeon.safetyChecklists.answer({ id, item: 'allergy', answer: 'yes', note: 'Latex' })
    const { answers } = await surgeon.safetyChecklists.get({ id })
    expect(answers.filter(({ item }) => item === 'allergy').map(({ answer, note }) => [answer, note])).toEqual([
      ['no', null],
      ['yes', 'Latex'],
    ])
    expect(new Set(answers.map(({ answeredBy }) => answeredBy)).size).toBe(1)
    await confirm(id, 'sign_in')
    const late = await refusal(surgeon.safetyChecklists.answer({ id, item: 'allergy', answer: 'no' }))
    expect([late.code, late.status]).toEqual(['CLOSED', 409])
    await expect(server.rows("update safety_answers set answer = 'no' where surgery_id = $1", [id])).rejects.toThrow('cannot be changed')
    await expect(server.rows('update safety_phases set closed_at = now() where surgery_id = $1', [id])).rejects.toThrow('cannot be changed')
    await expect(server.rows('delete from safety_answers where surgery_id = $1', [id])).rejects.toThrow('only with its surgery')
    await expect(server.rows('delete from safety_phases where surgery_id = $1', [id])).rejects.toThrow('only with its surgery')
    await expect(
      server.rows(
        `insert into safety_answers (surgery_id, day, phase, item, answer, answered_by, answered_at)
         select surgery_id, day, phase, item, 'no', answered_by, '2030-01-01' from safety_answers where surgery_id = $1 limit 1`,
        [id],
      ),
    ).rejects.toThrow('is closed')
  })

  it('does not confirm a phase with open or stopping items, out of order, or with answers that were not read (issue 27)', async () => {
    const { id } = await prepare()
    const { surgeon, identity, lastAnswerId } = await answerAll(id, 'sign_in', ['allergy'])
    const confirmed = (given: { phase?: SafetyPhase; lastAnswerId: string }) =>
      refusal(surgeon.safetyChecklists.confirm({ id, phase: 'sign_in', identity, ...given }))
    expect(await confirmed({ lastAnswerId })).toMatchObject({ code: 'INCOMPLETE', status: 409, data: { open: ['allergy'], stopped: [] } })
    await surgeon.safetyChecklists.answer({ id, item: 'allergy', answer: 'no' })
    const stopped = await surgeon.safetyChecklists.answer({ id, item: 'site_marked', answer: 'no' })
    expect(await confirmed({ lastAnswerId: stopped.answers.at(-1)!.id })).toMatchObject({
      code: 'INCOMPLETE',
      data: { open: [], stopped: ['site_marked'] },
    })
    await surgeon.safetyChecklists.answer({ id, item: 'site_marked', answer: 'yes' })
    expect((await confirmed({ lastAnswerId })).code).toBe('CONFLICT')
    expect((await confirmed({ phase: 'time_out', lastAnswerId })).code).toBe('OUT_OF_ORDER')
  })

  it('confirms sign in and time out only with the name and birth date of the record (issue 27)', async () => {
    const { id, contactId } = await prepare()
    const { surgeon, identity, lastAnswerId } = await answerAll(id, 'sign_in')
    const confirmAs = (claimed: typeof identity | null) =>
      surgeon.safetyChecklists.confirm({ id, phase: 'sign_in', identity: claimed, lastAnswerId })
    for (const claimed of [null, { ...identity, name: 'Someone Else' }, { ...identity, dateOfBirth: '1984-04-03' }])
      expect(await refusal(confirmAs(claimed))).toMatchObject({ code: 'IDENTITY_MISMATCH', status: 409 })
    await server.rows('update contacts set date_of_birth = null where id = $1', [contactId])
    expect((await refusal(confirmAs(identity))).code).toBe('NO_BIRTH_DATE')
    await server.rows('update contacts set date_of_birth = $2 where id = $1', [contactId, identity.dateOfBirth])
    expect((await confirmAs(identity)).phases[0]!.identity).toEqual(identity)
  })

  it('begins on the day of the surgery, and again on another day (issue 27)', async () => {
    const ahead = await prepare({ startsAt: '2026-11-23T13:00:00Z' })
    const surgeon = await server.as('provider')
    const answer = (id: string) => surgeon.safetyChecklists.answer({ id, item: 'allergy', answer: 'no' })
    expect((await refusal(answer(ahead.id))).code).toBe('TOO_EARLY')
    expect((await refusal(surgeon.safetyChecklists.waive({ id: ahead.id, reason: 'Later' }))).code).toBe('TOO_EARLY')
    const { id } = await prepare()
    await confirm(id, 'sign_in')
    await theatre.desk.surgeries.change({ id, version: 1, startsAt: '2026-11-20T15:00:00Z' })
    expect((await surgeon.safetyChecklists.get({ id })).phases[0]!.outcome).toBe('confirmed')
    await theatre.desk.surgeries.change({ id, version: 2, startsAt: '2026-11-21T13:00:00Z' })
    expect(await surgeon.safetyChecklists.get({ id })).toMatchObject({
      answers: [],
      phases: [{ outcome: null }, { outcome: null }, { outcome: null }],
    })
    await theatre.desk.surgeries.setStatus({ id, version: 3, status: 'postponed' })
    expect((await refusal(answer(id))).code).toBe('NOT_TAKING_PLACE')
  })

  it('refuses unknown items and answers with the field, and surgeries that do not exist (issue 27)', async () => {
    const { id } = await prepare()
    const surgeon = await server.as('provider')
    const unknown = await refusal(surgeon.safetyChecklists.answer({ id, item: 'coffee', answer: 'yes' }))
    expect([unknown.status, unknown.data.fields]).toEqual([422, { item: 'The checklist has no such item' }])
    const wrong = await refusal(surgeon.safetyChecklists.answer({ id, item: 'introductions', answer: 'not_applicable' }))
    expect([wrong.code, wrong.data.fields]).toEqual(['INVALID_REFERENCE', { answer: 'This is not an answer to this item' }])
    const none = await refusal(surgeon.safetyChecklists.get({ id: '019ab2c8-0000-7000-8000-000000000000' }))
    expect([none.code, none.status]).toEqual(['NOT_FOUND', 404])
  })

  it('closes a phase once under ten confirmations at the same time (issue 27)', async () => {
    const { id } = await prepare()
    const { surgeon, identity, lastAnswerId } = await answerAll(id, 'sign_in')
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => surgeon.safetyChecklists.confirm({ id, phase: 'sign_in', identity, lastAnswerId })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const codes = results.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : []))
    expect(codes).toEqual(Array(9).fill('CLOSED'))
  })

  it('records who viewed its answers, and is deleted and restored with its patient (issue 27)', async () => {
    const { id, contactId } = await prepare()
    await confirm(id, 'sign_in')
    const rowsOf = () => server.rows('select * from safety_answers where surgery_id = $1 order by id', [id])
    const before = await rowsOf()
    expect(before).toHaveLength(itemsOfPhase('sign_in').length)
    const [view] = await server.rows<{ kind: string }>(
      "select kind from audit_log where action = 'viewed' and kind = 'safety checklist' and contact_ids = array[$1]::uuid[] limit 1",
      [contactId],
    )
    expect(view).toBeDefined()
    await theatre.admin.contacts.delete({ id: contactId })
    expect(await rowsOf()).toEqual([])
  })
})

describe('the rules of the safety checklist', () => {
  it('name an item once, with at least two answers, of which at most one stops (issue 27)', () => {
    expect(new Set(safetyItems.map(({ id }) => id)).size).toBe(safetyItems.length)
    for (const { answers, stops } of safetyItems) {
      expect(Object.keys(answers).length).toBeGreaterThanOrEqual(2)
      if (stops !== undefined) expect(answers).toHaveProperty(stops)
    }
  })

  it('count only the newest answer to an item (issue 27)', () => {
    const answers = itemsOfPhase('sign_out').map(({ id }) => ({ item: id, answer: 'yes' as const }))
    expect(phaseProblems('sign_out', answers)).toEqual({ open: [], stopped: [] })
    const changed = currentAnswers([...answers, { item: 'counts', answer: 'no' as const }])
    expect(changed).toHaveLength(answers.length)
    expect(phaseProblems('sign_out', changed)).toEqual({ open: [], stopped: ['counts'] })
    expect(phaseProblems('time_out', answers).open).toHaveLength(itemsOfPhase('time_out').length)
  })

  it('go from sign in to time out to sign out (issue 27)', () => {
    expect(nextPhase([])).toBe('sign_in')
    expect(nextPhase([{ phase: 'sign_in' }])).toBe('time_out')
    expect(nextPhase(safetyPhases.map((phase) => ({ phase })))).toBeNull()
  })
})
