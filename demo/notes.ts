import { daysLater } from '../src/shared/zoned-time.ts'
import type { Answer } from '../src/chart/notes/rules.ts'
import { type Client, signIn } from './billing/quickbooks.ts'
import { demoPassword, staff } from './staff.ts'

type Answers = Record<string, Answer>

const consult = (procedure: string): Answers => ({
  history:
    'Has considered surgery for several years. No previous surgery in the area. Understands that the result depends on tissue and healing, and that a revision may be needed.',
  past: 'Caesarean section under spinal anaesthesia in 2016, no complications. No history of bleeding or clots.',
  nicotine: 'Former',
  social: 'Lives with a partner, who can stay for the first nights. Desk work.',
  measurements: { 'Height (cm)': '168', 'Weight (kg)': '71.2', BMI: '25.2', 'Blood pressure': '128/82' },
  examination: 'Skin of good quality, mild asymmetry shown to the patient in the mirror and in photographs. No masses, no scars.',
  assessment: `Good candidate for ${procedure}. Expectations are realistic.`,
  options: ['No treatment', 'Surgery'],
  risks: ['Bleeding and haematoma', 'Infection', 'Scarring', 'Asymmetry', 'Need for revision', 'Risks of anaesthesia'],
  goals: 'Wants a natural result, and to be back at work after two weeks.',
  plan: 'Photographs taken. Blood work requested. Quote to follow. Second visit before a date is booked.',
})

const call: Answers = {
  reason: 'Questions about medications before surgery.',
  history: 'Takes ibuprofen for headaches, about twice a week. Otherwise well.',
  red_flags: ['Fever', 'Chest pain or shortness of breath'],
  advice: 'Acetaminophen instead of ibuprofen from ten days before surgery. No herbal supplements.',
  outcome: 'Reassured, follow up as planned',
  plan: 'Medication list to be reviewed again at the pre-operative visit.',
}

const preOperative: Answers = {
  interval: 'Well since the consultation. No infections. Stopped nicotine six weeks ago.',
  vitals: { 'Blood pressure': '126/80', 'Heart rate': '68', 'Oxygen saturation': '99 %' },
  examination: 'Heart sounds normal, chest clear. Mallampati II, full range of neck movement.',
  asa: 'II',
  ready: ['Procedure and side', 'Consent reviewed', 'Photographs taken'],
}

/** Writes notes on the next surgical patients: signed ones with an addendum, a draft, and one that needs a co-signature. Does nothing if there are some. */
export async function writeNotes(url: string, today: string): Promise<void> {
  const [surgeon, admin] = await Promise.all(
    [staff.provider, staff.admin].map(({ email }) => signIn(url, { email, password: demoPassword })),
  )
  if (!surgeon || !admin) return
  const { data } = await surgeon.surgeries.list({})
  const cases = data.filter(({ contact }, index) => data.findIndex((one) => one.contact.id === contact.id) === index)
  const charted: typeof cases = []
  for (const one of cases) {
    if (charted.length === 3) break
    if ((await surgeon.health.get({ contactId: one.contact.id })).reviews.length > 0) charted.push(one)
  }
  const [first, second, third] = charted.map(({ contact, procedures }) => ({
    contactId: contact.id,
    procedure: procedures.map(({ name }) => name.toLowerCase()).join(' and '),
  }))
  if (!first || (await surgeon.notes.ofContact({ contactId: first.contactId })).data.length > 0) return
  const templates = new Map((await surgeon.notes.templates()).map(({ kind, id }) => [kind, id]))
  const write = async (client: Client, contactId: string, kind: 'consult' | 'pre_op' | 'phone', daysAgo: number, answers: Answers) => {
    const note = await client.notes.create({ contactId, templateId: templates.get(kind)!, occurredOn: daysLater(today, -daysAgo) })
    return client.notes.save({ id: note.id, version: note.version, answers })
  }
  const sign = ({ id, version }: { id: string; version: number }) => surgeon.notes.sign({ id, version })

  const { id } = await sign(await write(surgeon, first.contactId, 'consult', 21, consult(first.procedure)))
  await surgeon.notes.addAddendum({ id, text: 'Blood work received and normal: haemoglobin 134 g/L, platelets 262.' })
  await sign(await write(surgeon, first.contactId, 'phone', 6, call))
  await write(surgeon, first.contactId, 'pre_op', 0, preOperative)
  for (const patient of [second, third])
    if (patient) await sign(await write(surgeon, patient.contactId, 'consult', 28, consult(patient.procedure)))
  if (second) await write(admin, second.contactId, 'phone', 1, call)
}
