import { daysLater, instantOf } from '../src/shared/zoned-time.ts'
import type { EventKindName, Severity } from '../src/care/adverse-events/rules.ts'
import { signIn } from './billing/quickbooks.ts'
import { demoPassword, staff } from './staff.ts'

interface Happened {
  kind: EventKindName
  severity: Severity
  daysAgo: number
  narrative: Record<string, string> | null
}

const happened: Happened[] = [
  {
    kind: 'transfer_to_hospital',
    severity: 'IIIb',
    daysAgo: 1,
    narrative: {
      what_happened:
        'Forty minutes after closure the drain had filled with 250 mL of fresh blood. Blood pressure 92/58, pulse 118. Expanding swelling on the left.',
      care: 'Pressure dressing, one litre of Ringer’s lactate, oxygen by mask. Paramedics left with the patient at 3:20 p.m.; the surgeon went with her.',
      disclosure: 'Dr. Okafor spoke with the patient, and with her sister by phone at 3:25 p.m.',
    },
  },
  { kind: 'infection', severity: 'II', daysAgo: 6, narrative: { what_happened: 'Redness and warmth around the incision on day 9.' } },
  { kind: 'return_to_theatre', severity: 'IIIb', daysAgo: 12, narrative: null },
]

/** Records what went wrong after some of the last surgeries, one of which has to be reported. Does nothing if there are some. */
export async function recordAdverseEvents(url: string, today: string, timeZone: string): Promise<void> {
  const surgeon = await signIn(url, { email: staff.provider.email, password: demoPassword })
  if (!surgeon || (await surgeon.adverseEvents.list({})).data.length > 0) return
  const { data } = await surgeon.surgeries.list({ status: 'completed' })
  for (const [index, { kind, severity, daysAgo, narrative }] of happened.entries()) {
    const surgery = data[index]
    if (!surgery) return
    const at = instantOf({ day: daysLater(today, -daysAgo), time: '15:05' }, timeZone)
    const earliest = new Date(Math.max(at.getTime(), new Date(surgery.endsAt).getTime())).toISOString()
    const event = await surgeon.adverseEvents.create({
      contactId: surgery.contact.id,
      surgeryId: surgery.id,
      kind,
      severity,
      occurredAt: earliest,
      learnedAt: earliest,
      peopleIds: surgery.surgeonId ? [surgery.surgeonId] : [],
      others: kind === 'transfer_to_hospital' ? 'Halton paramedics, Oakville Trafalgar Memorial Hospital' : null,
    })
    if (narrative === null) continue
    const { narrative: note } = await surgeon.adverseEvents.startNarrative({ id: event.id })
    const draft = await surgeon.notes.get({ id: note!.id })
    const written = await surgeon.notes.save({ id: draft.id, version: draft.version, answers: narrative })
    if (kind === 'infection') await surgeon.notes.sign({ id: draft.id, version: written.version })
  }
}
