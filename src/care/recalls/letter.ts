import { eq } from 'drizzle-orm'
import { letterheadOf, patientFacts, type PdfDocument, pdfResponse, type PracticeScope } from '../../kernel/pdf/document.ts'
import { renderPdf } from '../../kernel/pdf/render.ts'
import type { Scope } from '../../kernel/scope.ts'
import { isUuid } from '../../shared/text.ts'
import { formatMediumDay } from '../../shared/translations.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { readPatient } from './read.ts'
import { recallTexts } from './texts.ts'
import { recallAttempts, recallPatients, recalls } from './table.ts'

/** GET /api/recall-letters/{id}.pdf: the letter to a patient, by the id of the attempt, in the language in which it was made. */
export async function letterResponse(scope: Scope, id: string): Promise<Response> {
  const letter = isUuid(id) ? await renderLetter(scope, id) : null
  if (!letter) return Response.json({ code: 'NOT_FOUND', message: 'This letter does not exist' }, { status: 404 })
  await scope.recordView({ action: 'printed', kind: 'recall', contactIds: [letter.contactId] })
  return pdfResponse(letter.name, letter.bytes)
}

/** Null: there is no such letter. */
async function renderLetter(scope: Pick<Scope, 'db'> & PracticeScope, id: string) {
  const { db, env } = scope
  const [found] = await db
    .select({ attempt: recallAttempts, recall: recalls })
    .from(recallAttempts)
    .innerJoin(recallPatients, eq(recallPatients.id, recallAttempts.recallPatientId))
    .innerJoin(recalls, eq(recalls.id, recallPatients.recallId))
    .where(eq(recallAttempts.id, id))
  if (found?.attempt.channel !== 'letter') return null
  const { attempt, recall } = found
  const patient = await readPatient(db, attempt.recallPatientId)
  if (!patient) return null
  const language = attempt.language ?? 'en'
  const t = recallTexts[language]
  const day = dayAt(attempt.at, env.PRACTICE_TIME_ZONE)
  const name = `${patient.firstName} ${patient.lastName}`
  const document: PdfDocument = {
    letterhead: letterheadOf(scope, language, { isClinical: true }),
    title: t('letterTitle'),
    warning: null,
    addressee: [name, ...splitAddress(attempt.address)],
    facts: [...patientFacts(patient, language), { label: t('date'), value: formatMediumDay(day, language) }],
    parts: [
      {
        heading: t('dear', { name }),
        text: [language === 'fr' ? recall.messageFr : recall.messageEn, t('call', { phone: env.PRACTICE_PHONE })].join('\n\n'),
      },
      {
        heading: t('concerns'),
        columns: [{ label: t('device') }, { label: t('identifiers'), width: 220 }],
        rows: patient.devices.map(({ name: device, lot, serial, side }) => [
          side === null ? device : { text: device, detail: t(`sides.${side}`) },
          [t('lot', { lot }), serial && t('serial', { serial })].filter(Boolean).join(', '),
        ]),
      },
    ],
    notes: [],
    language,
  }
  return { contactId: patient.contactId, name: `${day} ${t('file')}`, bytes: await renderPdf(document) }
}

/** The street and the city, each on its own line, from an address on one line. */
function splitAddress(address: string | null): string[] {
  return address === null ? [] : address.split(/, (?=[^,]*$)/)
}
