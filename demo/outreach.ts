import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import type { PostmarkSimulator } from '../simulators/postmark/server.ts'
import type { TwilioSimulator } from '../simulators/twilio/server.ts'
import type { Scope } from '../src/kernel/scope.ts'
import type { StarterKey } from '../src/outreach/sequences/starter-rules.ts'
import { advanceDue } from '../src/outreach/sequences/advance.ts'
import { ontarioHolidays } from '../src/outreach/sequences/holiday-rules.ts'
import { startSequences } from '../src/outreach/sequences/start.ts'
import { daysLater, toInstant } from '../src/shared/zoned-time.ts'
import { type Client, signIn } from './billing/quickbooks.ts'
import { demoPassword, staff } from './staff.ts'

interface Demo {
  url: string
  databaseUrl: string
  outbox: PostmarkSimulator
  phones: TwilioSimulator
  /** Of the server, for its jobs. */
  scope: Scope
  /** Sets the server's clock, which keeps running; null: the real time. */
  setClock: (to: Date | null) => void
  today: string
  zone: string
}

/** How many days ago the campaign was sent, and the sequences turned on. */
const sentDaysAgo = 16
const onDaysAgo = 13

/**
 * Sends a campaign of two weeks ago, schedules one, begins one, and turns on two sequences that have run since, all by the product itself with its
 * clock set back. Does nothing if there are campaigns.
 */
export async function reachOut(demo: Demo): Promise<void> {
  const { url, databaseUrl, setClock, today, zone } = demo
  const sales = await signIn(url, { email: staff.mireille.email, password: demoPassword })
  if (!sales || (await sales.campaigns.list({})).total > 0) return
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  const at = (daysAgo: number, time: string) => toInstant({ day: daysLater(today, -daysAgo), time }, zone)
  await addTextConsents(database)
  const templates = await addTemplates(sales)
  for (const reply of quickReplies) await sales.inbox.saveQuickReply(reply)
  setClock(new Date(at(sentDaysAgo, '10:04')))
  await sendCampaign(demo, database, templates.evenings, daysLater(today, -sentDaysAgo))
  await runSequences(demo, database, at)
  setClock(null)
  await database.end()

  const now = await signIn(url, { email: staff.mireille.email, password: demoPassword })
  if (!now) return
  const past = { filter: 'stage:lead,contacted' }
  const { id, version } = await now.campaigns.create({
    name: 'Winter consults',
    audience: past,
    audienceName: 'Leads who have not booked',
    templateId: templates.winter,
    templateBId: templates.evenings,
    testPercent: 20,
  })
  await now.campaigns.start({ id, version, at: at(-3, '10:00') })
  await now.campaigns.create({
    name: 'Saturday hours, by text',
    channel: 'text',
    audience: past,
    audienceName: 'Leads who have not booked',
    templateId: templates.saturdays,
  })
}

const quickReplies = [
  {
    name: 'Parking',
    language: 'en',
    text: 'Parking is free behind the building. The entrance is on Lakeshore Road, and the clinic is on the second floor.',
  },
  {
    name: 'Parking',
    language: 'fr',
    text: 'Le stationnement est gratuit derrière l’immeuble. L’entrée est sur Lakeshore Road, et la clinique est au deuxième étage.',
  },
  {
    name: 'Consult length',
    language: 'en',
    text: 'A consult takes 45 minutes. You are welcome to come with someone. Please have a list of your medications with you.',
  },
  {
    name: 'Running late',
    language: 'en',
    text: 'Thank you for letting us know. We can wait for 15 minutes; after that we will find another time with you.',
  },
] as const

/** A third of the patients who like to hear from the practice by email do by text, too. */
const addTextConsents = (database: pg.Client) =>
  database.query(`
    insert into consents (contact_id, channel, basis, source, wording, given_at, given_by)
    select id, 'text', 'express', 'paper', 'I would like to hear about events and offers by text message.', created_at, assigned_sales_rep_id
    from contacts where consent_to_communicate and phone is not null and seq % 3 = 0 order by seq`)

async function addTemplates(sales: Client): Promise<Record<'evenings' | 'winter' | 'saturdays', string>> {
  const add = async (name: string, english: Words, french: Words) => {
    const { id } = await create(sales, name, english)
    await create(sales, `${name}_fr`, french)
    return id
  }
  const page = 'https://harbourview.example'
  return {
    evenings: await add(
      'evening_consults',
      {
        subject: '{{first_name}}, evening consults from November',
        body: `Hello {{first_name}},\n\nMany of you asked for times after work. Dr. Okafor now sees patients on Tuesdays until 8 p.m.\n\nChoose a time: ${page}/evenings\n\nYour questions are welcome: just reply to this email.\n\nHarbourview`,
      },
      {
        subject: '{{first_name}}, des consultations en soirée dès novembre',
        body: `Bonjour {{first_name}},\n\nVous avez été nombreux à demander des heures en soirée. La Dre Okafor reçoit maintenant le mardi jusqu’à 20 h.\n\nChoisir une heure : ${page}/soirees\n\nÉcrivez-nous vos questions en répondant à ce courriel.\n\nHarbourview`,
      },
    ),
    winter: await add(
      'winter_consults',
      {
        subject: 'Winter is a quiet time to recover',
        body: `Hello {{first_name}},\n\nMany patients plan surgery for the winter, when a few weeks at home are easier. We have kept times for consults in January.\n\nSee the times: ${page}/january\n\nHarbourview`,
      },
      {
        subject: 'L’hiver, une saison calme pour récupérer',
        body: `Bonjour {{first_name}},\n\nBien des patients prévoient leur chirurgie en hiver, quand il est plus facile de rester chez soi. Nous avons réservé des consultations en janvier.\n\nVoir les heures : ${page}/janvier\n\nHarbourview`,
      },
    ),
    saturdays: await add(
      'saturday_hours_text',
      { body: `Hello {{first_name}}, we are now open on Saturdays from 9 to noon. Times: ${page}/saturday` },
      { body: `Bonjour {{first_name}}, nous sommes maintenant ouverts le samedi de 9 h à midi. Heures : ${page}/samedi` },
    ),
  }
}

type Words = { subject?: string; body: string }
const create = (sales: Client, name: string, { subject = '', body }: Words) =>
  sales.emailTemplates.create({ name, subject, body, category: 'marketing', channel: subject === '' ? 'text' : 'email' })

/** Sends the campaign to the leads of that day, some of whom click, reply, unsubscribe or have left their address. */
async function sendCampaign({ url, outbox }: Demo, database: pg.Client, templateId: string, day: string): Promise<void> {
  const sales = (await signIn(url, { email: staff.mireille.email, password: demoPassword }))!
  const { id, version } = await sales.campaigns.create({
    name: 'Evening consults',
    audience: { filter: `stage:lead,contacted,consult_booked,consulted,surgery_booked;added:..${day}` },
    audienceName: 'Leads of this year',
    templateId,
    perHour: 100_000,
  })
  await sales.campaigns.start({ id, version })
  await until(async () => (await sales.campaigns.get({ id })).status === 'done')
  await untilNoneLeft(database, ['inbox.send'])
  const { rows } = await database.query<{ token: string; address: string; message: string }>(
    `select click_token as token, recipient.address, message.message_id as message from campaign_recipients as recipient
     join messages as message on message.id = recipient.message_id where campaign_id = $1 and message.status = 'sent' order by md5(recipient.key)`,
    [id],
  )
  const share = (percent: number) => Math.ceil((rows.length * percent) / 100)
  for (const { token } of rows.slice(0, share(17))) await fetch(`${url}/c/${token}/0`, { redirect: 'manual' })
  const replies = ['Is Tuesday the 24th still open?', 'Merci! Je vous appelle demain.', 'Do you also see patients on Thursdays?']
  for (const [index, text] of replies.entries()) {
    const { address, message } = rows[index * 3]!
    const mail = outbox.messages.find(({ MessageID }) => MessageID === message)
    if (mail) await outbox.inbound({ from: address, to: mail.ReplyTo!, subject: `Re: ${mail.Subject}`, text })
  }
  for (const { message } of rows.slice(-share(1.5))) await outbox.event({ type: 'HardBounce', messageId: message })
  for (const { message } of rows.slice(-share(3), -share(1.5))) {
    const link = /^Unsubscribe: (\S+)$/m.exec(outbox.messages.find(({ MessageID }) => MessageID === message)?.TextBody ?? '')?.[1]
    if (link) await fetch(url + new URL(link).pathname, { method: 'POST' })
  }
}

/** What leads answer to the first text, by how many days ago. */
const answers: Record<number, string> = { 10: 'Thursday afternoon would be great', 6: 'Can I come with my sister?', 2: 'Oui, avec plaisir' }

/** Turns on two examples, and lets them run up to now, half a day at a time. Their tasks are done on the next day, as staff would. */
async function runSequences({ url, scope, phones, setClock }: Demo, database: pg.Client, at: (daysAgo: number, time: string) => string) {
  let lastAt = at(onDaysAgo, '08:00')
  setClock(new Date(lastAt))
  const admin = await signIn(url, { email: staff.admin.email, password: demoPassword })
  if (!admin) return
  const year = Number(at(onDaysAgo, '08:00').slice(0, 4))
  await admin.sequences.setClosedDays({ days: [...ontarioHolidays(year), ...ontarioHolidays(year + 1)] })
  await turnOn(admin, 'new-lead', 20)
  await turnOn(admin, 'pre-op', 0)
  const sales = (await signIn(url, { email: staff.mireille.email, password: demoPassword }))!
  const run = async (moment: string) => {
    // The leads were written before the sequences were turned on: the database signals those that come later.
    await database.query(
      `insert into sequence_signals (kind, subject_id) select distinct 'lead', contact_id from lead_entries
       where status = 'completed' and contact_id is not null and received_at > $1 and received_at <= $2`,
      [lastAt, moment],
    )
    lastAt = moment
    await startSequences(scope)
    await advanceDue(scope)
    await untilNoneLeft(database, ['inbox.send', 'inbox.text', 'sequences.signals'])
  }
  for (let daysAgo = onDaysAgo; daysAgo > 0; daysAgo--) {
    for (const time of ['10:30', '17:30']) {
      setClock(new Date(at(daysAgo, time)))
      await run(at(daysAgo, time))
    }
    const { rows } = await database.query<{ id: string }>(
      `select tasks.id from tasks join sequence_steps as step on step.ref_id = tasks.id where not completed and tasks.created_at < $1`,
      [at(daysAgo, '12:00')],
    )
    for (const { id } of rows) await sales.tasks.complete({ id })
    const answer = answers[daysAgo]
    if (answer) await answerLatest(phones, database, answer)
  }
  setClock(null)
  await run(new Date().toISOString())
}

/** An answer to the latest text of a sequence. */
async function answerLatest(phones: TwilioSimulator, database: pg.Client, body: string): Promise<void> {
  const { rows } = await database.query<{ number: string }>(
    `select message.to_email as number from sequence_steps as step join messages as message on message.id = step.ref_id
     join automation_state as state on state.id = step.state_id and state.status = 'active'
     join conversations on conversations.id = message.conversation_id and channel = 'sms' order by step.at desc limit 1`,
  )
  if (rows[0]) await phones.receive({ from: rows[0].number, body })
}

async function turnOn(admin: Client, starter: StarterKey, holdOut: number): Promise<void> {
  const { id } = await admin.sequences.createFromStarter({ starter })
  const { version, draft } = await admin.sequences.get({ id })
  const changed = await admin.sequences.update({ id, version, draft: { ...draft, holdOut } })
  await admin.sequences.publish({ id, version: changed.version, moves: false })
  await admin.sequences.setOn({ id, on: true })
}

const untilNoneLeft = (database: pg.Client, jobs: string[]) =>
  until(async () => {
    const { rowCount } = await database.query(
      'select from graphile_worker.jobs where task_identifier = any($1) and attempts < max_attempts',
      [jobs],
    )
    return rowCount === 0
  })

async function until(isIt: () => Promise<boolean>): Promise<void> {
  while (!(await isIt())) await setTimeout(100)
}
