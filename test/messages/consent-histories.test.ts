import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { mergeContacts } from '../../src/admin/merges/service.ts'
import { undoMerge } from '../../src/admin/merges/undo.ts'
import { type ConsentChannel, consentChannels, expiryOf } from '../../src/crm/consent/rules.ts'
import { subscriberOf, unsubscribeLink } from '../../src/crm/consent/link.ts'
import { addImpliedConsent, recordConsent, unsubscribe, withdrawConsent } from '../../src/crm/consent/service.ts'
import { insertContacts, updateContact } from '../../src/crm/contacts/service.ts'
import { isRefusal } from '../../src/kernel/refusal.ts'
import type { Scope } from '../../src/kernel/scope.ts'
import { sendMessage } from '../../src/messages/inbox/send.ts'
import { startConversation, startText } from '../../src/messages/inbox/service.ts'
import { receiveText } from '../../src/messages/inbox/sms/receive.ts'
import { sendText } from '../../src/messages/inbox/sms/send.ts'
import { takeEvent } from '../../src/messages/inbox/suppressed.ts'
import { insertContact } from '../factories.ts'
import { newNumber, useTexts } from './texts.ts'

/** `CONSENT_RUNS=1000 npm test -- --unit test/messages/consent-histories` runs the full test. */
const runs = Number(process.env.CONSENT_RUNS ?? 15)

const texts = useTexts()
let actor: NonNullable<Scope['actor']>
let clock = new Date()
beforeAll(async () => {
  const { id } = await texts.server.account({ role: 'admin' })
  actor = { id, role: 'admin', name: 'Test admin', email: 'admin@clinic.example' } as unknown as typeof actor
  texts.twilio.setDeliveries({ outcome: 'none' })
  // Messages wait until the history sends them.
  await texts.server.rows(`
    create function hold_messages() returns trigger language plpgsql as $$ begin
      if new.task_id in (select id from graphile_worker._private_tasks where identifier in ('inbox.send', 'inbox.text')) then
        new.run_at = '2100-01-01';
      end if;
      return new;
    end $$`)
  await texts.server.rows(
    'create trigger hold_messages before insert on graphile_worker._private_jobs for each row execute function hold_messages()',
  )
})

const scopeOf = (who: Scope['actor'] = actor): Scope => ({
  ...(texts.server.running.runtime as unknown as Scope),
  actor: who,
  origin: { requestId: 'test', address: null },
  now: () => clock,
  recordView: () => Promise.resolve(),
})

type Entry = {
  owner: string
  channel: ConsentChannel
  isExpress: boolean
  at: number
  until: number | null
  end: number | null
  /** The merge that ended it, which is no withdrawal. */
  endedIn: string | null
}
type Merge = { id: string; target: string; source: string; at: number; moved: Entry[] }

/** The law in few lines, written apart from the product: what each patient has agreed to, and which addresses are closed. */
class Law {
  entries: Entry[] = []
  merges: Merge[] = []
  /** Null: the address only gets no commercial messages. */
  closed = new Map<string, 'bounce' | 'complaint' | 'stopped' | null>()
  unsubscribed = new Set<string>()

  private of = (owner: string, channel: ConsentChannel) => this.entries.filter((one) => one.owner === owner && one.channel === channel)
  private isActive = (one: Entry) => one.end === null && one.at <= clock.getTime() && (one.until === null || clock.getTime() < one.until)
  private lastWithdrawal = (entries: Entry[]) => Math.max(-1, ...entries.filter((one) => one.endedIn === null).map((one) => one.end ?? -1))
  private hasBasis(entries: Entry[]) {
    const withdrawal = this.lastWithdrawal(entries)
    return entries.some((one) => this.isActive(one) && (withdrawal < 0 || (one.isExpress && one.at >= withdrawal)))
  }
  hasWithdrawn = (owners: string[], channel: ConsentChannel) => {
    const entries = owners.flatMap((owner) => this.of(owner, channel))
    return this.lastWithdrawal(entries) >= 0 && !this.hasBasis(entries)
  }
  give(owner: string, channel: ConsentChannel, isExpress: boolean, until: number | null = null) {
    this.entries.push({ owner, channel, isExpress, at: clock.getTime(), until, end: null, endedIn: null })
  }
  withdraw(owner: string, channel: ConsentChannel) {
    const active = this.of(owner, channel).filter(this.isActive)
    for (const one of active) one.end = clock.getTime()
    if (active.length > 0 || this.hasWithdrawn([owner], channel)) return
    this.give(owner, channel, false)
    this.entries.at(-1)!.end = clock.getTime()
  }
  /** The checkbox on the record ends what there is of both channels. */
  untick(owner: string) {
    for (const channel of consentChannels) if (this.of(owner, channel).some(this.isActive)) this.withdraw(owner, channel)
  }
  merge(merge: Omit<Merge, 'moved'>, isTicked: boolean) {
    const both = [merge.target, merge.source]
    if (!isTicked || this.hasWithdrawn(both, 'email'))
      for (const one of both.flatMap((owner) => this.of(owner, 'email')))
        if (one.isExpress && this.isActive(one)) Object.assign(one, { end: clock.getTime(), endedIn: merge.id })
    const moved = this.entries.filter((one) => one.owner === merge.source)
    for (const one of moved) one.owner = merge.target
    this.merges.push({ ...merge, moved })
  }
  undo(merge: Merge) {
    this.merges = this.merges.filter((one) => one !== merge)
    const both = [merge.target, merge.source]
    for (const one of merge.moved) if (one.owner === merge.target) one.owner = merge.source
    for (const channel of consentChannels) {
      const entries = both.flatMap((owner) => this.of(owner, channel))
      const last = this.lastWithdrawal(entries)
      for (const one of entries) if (one.endedIn === merge.id && last < one.end!) Object.assign(one, { end: null, endedIn: null })
      if (last < merge.at) continue
      for (const owner of both)
        if (this.lastWithdrawal(this.of(owner, channel)) < last)
          this.entries.push({ owner, channel, isExpress: false, at: last, until: null, end: last, endedIn: null })
    }
  }
  isClosed = (address: string) => this.closed.has(address) || this.unsubscribed.has(address)
  maySend = (owner: string, channel: ConsentChannel, address: string) => !this.isClosed(address) && this.hasBasis(this.of(owner, channel))
}

type Contact = { id: string; version: number; ticked: boolean; emails: string[]; phones: string[] }
const contactsIn = (ids: readonly string[]) =>
  texts.server.rows<Contact>(
    `select id, version, consent_to_communicate as ticked, array_remove(array_prepend(email, other_emails), null) as emails,
       array_remove(array_prepend(phone, other_phones), null) as phones
     from contacts where id = any($1) order by id`,
    [ids],
  )

const channelsToGive = fc.constantFrom<ConsentChannel[]>(['email'], ['text'], ['email', 'text'])
const pick = fc.nat(9)
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('record' as const), who: pick, channels: channelsToGive }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('withdraw' as const), who: pick, channels: channelsToGive }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('tick' as const), who: pick, ticked: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('imply' as const), who: pick, isSale: fc.boolean(), channels: channelsToGive }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('import' as const), who: pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('merge' as const), who: pick, other: pick, isTarget: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('undo' as const), which: pick, decision: fc.constantFrom('keep' as const, 'restore' as const) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('unsubscribe' as const), who: pick, which: pick }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('bounce' as const, 'complain' as const, 'reactivate' as const), who: pick, which: pick }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('stop' as const, 'start' as const), who: pick, which: pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.constantFrom(1, 40, 200, 800) }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('write' as const), who: pick, which: pick, channel: fc.constantFrom(...consentChannels) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('send' as const), which: pick }) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

const counts = { refused: 0, sent: 0, stopped: 0 }

async function play(steps: readonly Step[]) {
  const law = new Law()
  const created: string[] = []
  const waiting: { messageId: string; channel: ConsentChannel; address: string; text: string }[] = []
  const shared = newNumber()
  for (const phone of [shared, shared, newNumber()])
    created.push(await insertContact(texts.server, { email: `${randomUUID()}@fastmail.example`, phone }))
  const imported = new Set<string>()
  const scope = scopeOf()

  async function send(index: number) {
    const [message] = waiting.splice(index, 1)
    if (!message) return
    const [row] = await texts.server.rows<{ status: string; contact_id: string }>(
      `select messages.status, contact_id from messages join conversations on conversations.id = conversation_id where messages.id = $1`,
      [message.messageId],
    )
    const may = row!.status === 'queued' && law.maySend(row!.contact_id, message.channel, message.address)
    const job = message.channel === 'text' ? sendText : sendMessage
    await job.run(scopeOf(null), { id: message.messageId }, { last: false })
    const left =
      texts.server.outbox.messages.some(({ TextBody }) => TextBody?.includes(message.text)) ||
      texts.twilio.messages.some(({ body }) => body.includes(message.text))
    expect({ ...message, left }).toEqual({ ...message, left: may })
    counts[may ? 'sent' : 'stopped']++
  }

  for (const one of steps) {
    clock = new Date(clock.getTime() + 1_000)
    const alive = await contactsIn(created)
    const patient = 'who' in one ? alive[one.who % alive.length]! : alive[0]!
    const addressOf = (channel: ConsentChannel, which: number) => {
      const list = channel === 'text' ? patient.phones : patient.emails
      return list[which % Math.max(1, list.length)]
    }
    switch (one.do) {
      case 'record': {
        await recordConsent(scope, { id: patient.id, wording: randomUUID(), way: 'paper', channels: one.channels })
        for (const channel of one.channels) {
          law.give(patient.id, channel, true)
          for (const address of channel === 'text' ? patient.phones : patient.emails) law.unsubscribed.delete(address)
        }
        break
      }
      case 'withdraw':
        await withdrawConsent(scope, { id: patient.id, channels: one.channels })
        for (const channel of one.channels) law.withdraw(patient.id, channel)
        break
      case 'tick':
        if (one.ticked === patient.ticked) break
        await updateContact(scope, { id: patient.id, version: patient.version, consentToCommunicate: one.ticked })
        if (one.ticked) law.give(patient.id, 'email', true)
        else law.untick(patient.id)
        break
      case 'imply': {
        const basis = one.isSale ? ('purchase' as const) : ('inquiry' as const)
        const implied = { contactId: patient.id, channels: one.channels, basis, source: 'lead' as const, givenAt: clock }
        await scope.db.transaction((tx) => addImpliedConsent(tx, scope, implied))
        const until = expiryOf(basis, clock, scope.env.PRACTICE_TIME_ZONE)!.getTime()
        for (const channel of one.channels) if (!law.hasWithdrawn([patient.id], channel)) law.give(patient.id, channel, false, until)
        break
      }
      case 'import': {
        const [email = null, phone = null] = [patient.emails[0], patient.phones[0]]
        if (email === null || imported.has(email)) break
        imported.add(email)
        const [stage] = await texts.server.rows<{ id: string }>(`select id from funnel_stages where value = 'lead'`)
        const values = { firstName: 'Ana', lastName: 'Imported', email, phone, funnelStageId: stage!.id, consentToCommunicate: true }
        const [id] = await scope.db.transaction((tx) =>
          insertContacts(tx, scope, [values], { descriptions: ['Imported'], source: 'imported' }),
        )
        created.push(id!)
        law.give(id!, 'email', true)
        break
      }
      case 'merge': {
        const source = alive[one.other % alive.length]!
        if (source.id === patient.id) break
        const merged = await mergeContacts(scope, {
          id: patient.id,
          version: patient.version,
          sourceId: source.id,
          sourceVersion: source.version,
          choices: { consentToCommunicate: one.isTarget ? 'target' : 'source' },
          keepAddresses: true,
        })
        if (!merged || isRefusal(merged) || !('mergeId' in merged)) throw new Error('The merge was refused')
        law.merge(
          { id: merged.mergeId, target: patient.id, source: source.id, at: clock.getTime() },
          (one.isTarget ? patient : source).ticked,
        )
        break
      }
      case 'undo': {
        const merge = law.merges[one.which % Math.max(1, law.merges.length)]
        if (!merge) break
        let result = await undoMerge(scope, { id: merge.id, decisions: {} })
        if (isRefusal(result) && result.refusal === 'UNDO_CONFLICTS') {
          const { conflicts, version } = (result as unknown as { data: { conflicts: { key: string }[]; version: number } }).data
          result = await undoMerge(scope, {
            id: merge.id,
            version,
            decisions: Object.fromEntries(conflicts.map(({ key }) => [key, one.decision])),
          })
        }
        if (result && !isRefusal(result)) law.undo(merge)
        break
      }
      case 'unsubscribe': {
        const address = addressOf('email', one.which)
        if (!address) break
        const token = unsubscribeLink(scope.env, { contactId: patient.id, address }).split('/u/')[1]!
        expect(subscriberOf(scope.env, token)).not.toBeNull()
        await unsubscribe(scopeOf(null), token)
        law.unsubscribed.add(address)
        law.withdraw(patient.id, 'email')
        break
      }
      case 'bounce':
      case 'complain': {
        const address = addressOf('email', one.which)
        if (!address) break
        const about = { MessageID: '', Email: address, Description: 'No such mailbox' }
        await takeEvent(
          scopeOf(null),
          one.do === 'bounce'
            ? { ...about, RecordType: 'Bounce', Type: 'HardBounce', Inactive: true }
            : { ...about, RecordType: 'SpamComplaint' },
        )
        if (!law.closed.has(address)) law.closed.set(address, one.do === 'bounce' ? 'bounce' : 'complaint')
        break
      }
      case 'reactivate': {
        const address = addressOf('email', one.which)
        if (!address) break
        await takeEvent(scopeOf(null), { RecordType: 'SubscriptionChange', MessageID: '', Recipient: address, SuppressSending: false })
        law.closed.delete(address)
        break
      }
      case 'stop':
      case 'start': {
        const number = addressOf('text', one.which)
        if (!number) break
        const sid = `SM${randomUUID().replaceAll('-', '')}`
        const body = one.do === 'stop' ? 'STOP' : 'START'
        await receiveText(scopeOf(null), { sid, from: number, to: texts.twilio.number, body, isAnsweredByTwilio: true, media: [] })
        if (one.do === 'start') {
          if (law.closed.get(number) === 'stopped') law.closed.delete(number)
          break
        }
        law.unsubscribed.add(number)
        law.closed.set(number, 'stopped')
        const linked = await texts.server.rows<{ id: string }>(
          `select distinct contact_id as id from conversations where channel = 'sms' and address = $1`,
          [number],
        )
        for (const { id, phones } of alive)
          if (phones.includes(number) || linked.some((conversation) => conversation.id === id)) law.withdraw(id, 'text')
        break
      }
      case 'wait':
        clock = new Date(clock.getTime() + one.days * 24 * 3_600_000)
        break
      case 'write': {
        const address = addressOf(one.channel, one.which)
        if (!address) break
        const text = randomUUID()
        const mail = { contactId: patient.id, text, html: null, isCommercial: true, documentIds: [], idempotencyKey: randomUUID() }
        const result =
          one.channel === 'text'
            ? await startText(scope, { ...mail, phone: address })
            : await startConversation(scope, { ...mail, email: address, subject: 'Offers' })
        const may = law.maySend(patient.id, one.channel, address)
        expect({ text, isRefused: isRefusal(result) }).toEqual({ text, isRefused: !may })
        if (result && !isRefusal(result) && 'messageId' in result)
          waiting.push({ messageId: result.messageId, channel: one.channel, address, text })
        else counts.refused++
        break
      }
      case 'send':
        await send(one.which % Math.max(1, waiting.length))
    }
  }
  while (waiting.length > 0) await send(0)
}

/** A message that leaves, one that is refused, and one that the withdrawal stops: the random histories are too few to have each for certain. */
const write = { do: 'write', who: 0, which: 0, channel: 'email' } as const
const withConsent = { who: 0, channels: ['email'] satisfies ConsentChannel[] }
const everyOutcome: Step[] = [
  write,
  { do: 'record', ...withConsent },
  write,
  { do: 'send', which: 0 },
  write,
  { do: 'withdraw', ...withConsent },
  { do: 'send', which: 0 },
]

it(
  `sends no commercial message without a live basis at the moment of sending, over ${runs} random histories (issue 28)`,
  { timeout: 60_000 + runs * 5_000 },
  async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30, size: 'max' }), play), {
      numRuns: runs,
      examples: [[everyOutcome]],
    })
    expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([])
  },
)
