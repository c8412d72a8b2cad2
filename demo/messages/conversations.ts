import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import type { PostmarkSimulator } from '../../simulators/postmark/server.ts'
import type { TwilioSimulator } from '../../simulators/twilio/server.ts'
import { type Client, signIn } from '../billing/quickbooks.ts'
import { makePdf } from '../documents/pdf.ts'
import { demoPassword, staff } from '../staff.ts'

type Message = {
  from: 'patient' | 'clinic' | 'note'
  text: string
  html?: string
  file?: string
  hoursAgo: number
  automatic?: boolean
  /** A text message, and whether the phone did not get it. */
  isText?: boolean
  isUndelivered?: boolean
}
type Conversation = {
  subject: string
  messages: Message[]
  /** SQL condition for the patient who may have written it. */
  patientCondition: string
  /** Written in the patient portal. */
  isPortal?: boolean
  isRead?: boolean
  isMine?: boolean
  isArchived?: boolean
}

/** Recent conversations with patients, in the order in which they are created. */
export const conversations: Conversation[] = [
  {
    subject: 'Ma consultation',
    patientCondition: "c.phone is not null and preferred_language = 'fr' and stages.value in ('lead', 'contacted', 'consult_booked')",
    isMine: true,
    messages: [
      {
        from: 'clinic',
        isText: true,
        hoursAgo: 27,
        text: 'Bonjour, ici Harbourview. Merci pour votre demande! Préférez-vous mardi ou jeudi pour une consultation?',
      },
      { from: 'patient', isText: true, hoursAgo: 26.7, text: 'Jeudi après-midi si possible 🙂' },
      {
        from: 'patient',
        hoursAgo: 25.2,
        text: 'Bonjour,\n\nMon vol arrive tard jeudi. Serait-il possible de venir en fin d’après-midi, ou vendredi? Je joins ma prise de sang.\n\nMerci',
        file: 'prise-de-sang.pdf',
      },
      { from: 'note', hoursAgo: 3, text: 'Dr. Okafor has room on Friday at 2:30.' },
      {
        from: 'clinic',
        isText: true,
        isUndelivered: true,
        hoursAgo: 0.5,
        text: 'C’est noté : vendredi à 14 h 30. Vos formulaires vous attendent dans le portail.',
      },
    ],
  },
  {
    subject: 'Moving my consultation',
    patientCondition: 'appointment_date > current_date and extract(isodow from appointment_date) = 4',
    messages: [
      {
        from: 'patient',
        hoursAgo: 0.4,
        text: 'Hello,\n\nMy flight gets in late on Thursday. Could I come in the afternoon instead?\n\nThank you',
      },
    ],
  },
  {
    subject: 'Portal messages',
    isPortal: true,
    patientCondition: "surgical_date between current_date + 3 and current_date + 40 and preferred_language is distinct from 'fr'",
    messages: [
      {
        from: 'patient',
        hoursAgo: 30,
        text: 'Hello,\n\nI take magnesium and vitamin D every evening. May I keep taking them until my surgery?',
      },
      {
        from: 'clinic',
        hoursAgo: 26,
        text: 'Yes, both are fine. Please stop fish oil and vitamin E two weeks before, as your instructions say.\n\nIf you take anything else, tell us here.',
      },
      { from: 'patient', hoursAgo: 25.5, text: 'Thank you, that is all I take.' },
    ],
  },
  {
    subject: 'Swelling after two weeks',
    patientCondition: 'surgical_date between current_date - 20 and current_date - 12',
    isMine: true,
    messages: [
      { from: 'patient', hoursAgo: 27, text: 'Hi, the left side is a little more swollen than the right. Is that normal after two weeks?' },
      {
        from: 'clinic',
        hoursAgo: 25,
        text: 'Thank you for writing. A difference between the sides is normal at this point. If it gets worse, hurts or feels hot, please call us right away: (905) 555-0118.',
      },
      { from: 'note', hoursAgo: 24.8, text: 'Showed the photo to Dr. Okafor: no concerns. Call on Monday.' },
      {
        from: 'patient',
        hoursAgo: 1.2,
        text: 'That is a relief, thank you. It is the same as yesterday.\n\n> A difference between the sides is normal at this point.',
      },
    ],
  },
  {
    subject: 'Blood test results',
    patientCondition: 'surgical_date > current_date',
    messages: [{ from: 'patient', hoursAgo: 3, text: 'Here are the results from my family doctor.', file: 'blood-test.pdf' }],
  },
  {
    subject: 'Price of a breast lift',
    patientCondition: "stages.value in ('lead', 'contacted')",
    messages: [
      {
        from: 'patient',
        hoursAgo: 5,
        text: 'Good morning,\n\nHow much does a breast lift cost, and can I pay in instalments?',
        html: '<div style="font-family:Georgia,serif"><p>Good morning,</p><p>How much does a <b>breast lift</b> cost, and can I pay in instalments?</p><ul><li>I am available from June on.</li><li>I live in Hamilton.</li></ul><p><img src="https://pictures.example/signature.png" width="180" height="40" alt="Signature"></p></div>',
      },
    ],
  },
  {
    subject: 'Thank you',
    patientCondition: 'surgical_date between current_date - 16 and current_date - 6',
    isRead: true,
    messages: [
      {
        from: 'patient',
        hoursAgo: 22,
        text: 'Dear all, the stitches came out today and everything looks wonderful. Thank you for your patience with me.',
      },
    ],
  },
  {
    subject: 'Parking at the clinic',
    patientCondition: "stages.value = 'consult_booked'",
    isRead: true,
    messages: [
      { from: 'patient', hoursAgo: 30, text: 'Is there parking near the clinic, and what does it cost?' },
      {
        from: 'clinic',
        hoursAgo: 29,
        text: 'There is free parking behind the building. Please use one of the spots marked Harbourview.',
      },
    ],
  },
  {
    subject: 'Medication before surgery',
    patientCondition: 'surgical_date > current_date + 7',
    isRead: true,
    isMine: true,
    messages: [
      { from: 'patient', hoursAgo: 50, text: 'I take 81 mg of Aspirin a day. When should I stop?' },
      { from: 'note', hoursAgo: 49, text: 'Asked the anaesthetist. Wait for the answer before replying.' },
    ],
  },
  {
    subject: 'Your quote',
    patientCondition: "stages.value = 'quote_sent'",
    isRead: true,
    messages: [
      {
        from: 'clinic',
        hoursAgo: 74,
        text: 'As we discussed on the phone, here is what is included: the surgeon, the anaesthetist, the facility, and two visits afterwards.',
      },
      { from: 'patient', hoursAgo: 73.9, automatic: true, text: 'I am away until Monday and will read my email then.' },
    ],
  },
  {
    subject: 'Insurance letter',
    patientCondition: "stages.value in ('consult_done', 'surgery_booked')",
    isRead: true,
    messages: [{ from: 'patient', hoursAgo: 98, text: 'Could you write a letter for my insurance? They need the reason for the surgery.' }],
  },
  {
    subject: 'Change of address',
    patientCondition: "c.created_at < now() - interval '60 days'",
    isRead: true,
    isArchived: true,
    messages: [
      { from: 'patient', hoursAgo: 120, text: 'I have moved to 18 Lakeshore Road, Burlington. Please update it.' },
      { from: 'clinic', hoursAgo: 119, text: 'It has been updated. Thank you for letting us know.' },
    ],
  },
]
const unknownSender: Omit<Conversation, 'patientCondition'> & { name: string; email: string } = {
  name: 'Beatrix Sauvageau',
  email: 'b.sauvageau@fastmail.example',
  subject: 'Do you see patients from Québec?',
  messages: [
    {
      from: 'patient',
      hoursAgo: 2,
      text: 'Bonjour, a friend of mine had surgery at your clinic. I live in Gatineau. Do you see patients from Québec, and would the first visit be possible by video?\n\nSee also https://harbourview.example/consultations',
    },
  ],
}

type DemoClinic = { sales: Client; url: string; outbox: PostmarkSimulator; phones: TwilioSimulator }
type Demo = Omit<DemoClinic, 'sales'> & { databaseUrl: string }

/**
 * Creates emails and texts from patients, and some replies. Runs once: returns false when there are conversations already, or when the password has
 * been changed.
 */
export async function createConversations({ url, databaseUrl, outbox, phones }: Demo): Promise<boolean> {
  const sales = await signIn(url, { email: staff.mireille.email, password: demoPassword })
  if (!sales || (await sales.inbox.conversations({ show: 'all', limit: 1 })).data.length > 0) return false
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  const exchange = createExchange({ sales, url, outbox, phones }, database)
  const usedPatientIds: string[] = []
  for (const conversation of conversations) {
    const patient = await findSender(database, conversation, usedPatientIds)
    if (!patient) continue
    usedPatientIds.push(patient.id!)
    await exchange(conversation, patient)
  }
  await exchange(unknownSender, { id: null, email: unknownSender.email, name: unknownSender.name })
  await database.end()
  return true
}

/** The newest matching patient who was added before the conversation began; otherwise the newest who was. */
export async function findSender(
  client: pg.Client,
  { patientCondition, messages }: Conversation,
  usedPatientIds: readonly string[],
): Promise<Patient | null> {
  const { rows } = await client.query<Patient>(
    `select c.id, email, first_name || ' ' || last_name as name from contacts as c join funnel_stages as stages on stages.id = funnel_stage
     where email is not null and c.created_at < now() - make_interval(hours => $1) and c.id <> all($2)
     order by coalesce(${patientCondition}, false) desc, seq desc limit 1`,
    [Math.ceil(Math.max(...messages.map(({ hoursAgo }) => hoursAgo))) + 24, usedPatientIds],
  )
  return rows[0] ?? null
}

type Patient = { id: string | null; email: string; name: string }

const createExchange =
  (clinic: DemoClinic, database: pg.Client) => async (conversation: Omit<Conversation, 'patientCondition'>, patient: Patient) => {
    let id: string | null = null
    for (const message of conversation.messages) {
      id = await post(clinic, { conversation, message, patient, id })
      await backdate(database, id, message.hoursAgo)
    }
    if (!id) return
    const { sales } = clinic
    if (conversation.isRead) await sales.inbox.markConversationRead({ id })
    if (conversation.isMine) {
      const { user } = await sales.auth.session()
      await sales.inbox.change({ id, assignedTo: user!.id })
    }
    if (conversation.isArchived) await sales.inbox.change({ id, status: 'archived' })
  }

type Post = { conversation: Omit<Conversation, 'patientCondition'>; message: Message; patient: Patient; id: string | null }

/** Posts one message and returns the id of its conversation. */
async function post(clinic: DemoClinic, { conversation, message, patient, id }: Post): Promise<string> {
  const { sales, url, outbox } = clinic
  const { subject } = conversation
  const { text } = message
  if (message.from === 'note') {
    await sales.inbox.addNote({ id: id!, text })
    return id!
  }
  if (message.isText) return postText(clinic, patient.id!, message)
  if (message.from === 'clinic') {
    const idempotencyKey = randomUUID()
    if (id) await sales.inbox.reply({ id, text, idempotencyKey })
    return id ?? (await sales.inbox.start({ contactId: patient.id!, email: patient.email, subject, text, idempotencyKey })).id
  }
  if (conversation.isPortal) {
    await writeInPortal(url, outbox, patient, text)
    const { data } = await sales.inbox.conversations({ show: 'all', contactId: patient.id!, limit: 1 })
    return data[0]!.id
  }
  const { status, body } = await outbox.inbound({
    from: patient.email,
    to: 'team@refyne.example',
    fromName: patient.name,
    subject: id && !conversation.messages[0]!.isText ? `Re: ${subject}` : subject,
    text,
    html: message.html,
    ...(message.automatic && { headers: [{ name: 'Auto-Submitted', value: 'auto-replied' }] }),
    ...(message.file && { attachments: [attachmentOf(message.file)] }),
  })
  if (status !== 200) throw new Error(`The clinic did not accept an email: ${status} ${body}`)
  const { data } = await sales.inbox.conversations({ show: 'all', search: subject, limit: 1 })
  return data[0]!.id
}

/** Texts the patient's first phone, or the practice from it. */
async function postText({ sales, phones }: DemoClinic, contactId: string, { from, text, isUndelivered }: Message): Promise<string> {
  const { phones: listed } = await sales.inbox.phones({ contactId })
  const { phone, number } = listed.find(({ problem }) => problem === null)!
  if (from === 'patient') {
    await phones.receive({ from: number!, body: text })
    const { data } = await sales.inbox.conversations({ show: 'all', contactId, limit: 1 })
    return data[0]!.id
  }
  phones.setDeliveries(isUndelivered ? { outcome: 'undelivered', errorCode: 30_003 } : {})
  const { id, messageId } = await sales.inbox.text({ contactId, phone, text, idempotencyKey: randomUUID() })
  const isUnderWay = async () =>
    (await sales.inbox.conversation({ id })).messages.some(
      (message) => message.id === messageId && ['queued', 'sending', 'sent'].includes(message.status),
    )
  while (await isUnderWay()) await setTimeout(50)
  phones.setDeliveries({})
  return id
}

/** Signs in as the patient, with the code that was emailed, and writes a message. */
async function writeInPortal(url: string, outbox: PostmarkSimulator, { id: contactId, email }: Patient, text: string): Promise<void> {
  const call = async (name: string, body: object) => {
    const response = await fetch(`${url}/api/functions/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`The portal refused ${name}: ${response.status} ${await response.text()}`)
    return (await response.json()) as { sessionToken: string }
  }
  const codes = () => outbox.messages.filter(({ To, Subject }) => To === email && /^\d{6} /.test(Subject ?? ''))
  const before = codes().length
  await call('request-document-access', { email })
  while (codes().length === before) await setTimeout(50)
  const { sessionToken } = await call('verify-document-access', { email, otp: codes()[0]!.Subject!.slice(0, 6) })
  await call('patient-message-write', { contactId, sessionToken, key: randomUUID(), text })
}

const attachmentOf = (name: string) => ({
  name,
  contentType: 'application/pdf',
  contentBase64: makePdf([['Blood test', 'Haemoglobin 138 g/L', 'Platelets 240']]).toString('base64'),
})

/** Backdates the latest message of a conversation. */
async function backdate(database: pg.Client, id: string, hoursAgo: number): Promise<void> {
  const values = [id, `${Math.round(hoursAgo * 60)} minutes`]
  const newest = (table: string) => `select id from ${table} where conversation_id = $1 order by created_at desc limit 1`
  await database.query(
    `with latest as (select max(created_at) as at from (select created_at from messages where conversation_id = $1 union all select created_at from conversation_notes where conversation_id = $1) as both_kinds),
     moved as (update messages set created_at = now() - $2::interval where id in (${newest('messages')}) and created_at = (select at from latest) returning id, created_at),
     noted as (update conversation_notes set created_at = now() - $2::interval where id in (${newest('conversation_notes')}) and created_at = (select at from latest) returning id),
     entries as (update interactions set date = now() - $2::interval where metadata ->> 'messageId' in (select id::text from moved) returning id)
     update conversations set last_message_at = coalesce((select created_at from moved), last_message_at) where id = $1`,
    values,
  )
}
