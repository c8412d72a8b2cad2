import { eq, inArray } from 'drizzle-orm'
import { letterheadOf, patientFacts, type PdfDocument, pdfResponse } from '../../kernel/pdf/document.ts'
import { renderPdf } from '../../kernel/pdf/render.ts'
import type { Scope } from '../../kernel/scope.ts'
import { isUuid } from '../../shared/text.ts'
import { formatMediumDay, formatMediumInstant } from '../../shared/translations.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { noteForPdf } from '../../chart/notes/service.ts'
import { clinicalNotes } from '../../chart/notes/table.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import { getEvent } from './read.ts'
import { eventKinds, formatSeverity, reportWithin } from './rules.ts'

/** GET /api/adverse-events/{id}.pdf: the report of an adverse event, prepared to be filed. */
export async function eventReportResponse(scope: Scope, id: string): Promise<Response> {
  const event = isUuid(id) ? await getEvent(scope.db, id) : null
  if (!event) return Response.json({ code: 'NOT_FOUND', message: 'This adverse event does not exist' }, { status: 404 })
  const { db, env } = scope
  const { contact, surgery } = event
  await recordChange(db, scope, { action: 'exported', kind: 'adverse event', contactIds: [contact.id], after: { id } })
  const people = [
    ...event.peopleIds,
    ...(surgery?.surgeonId ? [surgery.surgeonId] : []),
    ...(event.filedBy ? [event.filedBy] : []),
    event.createdBy,
  ]
  const names = await db.select({ id: profiles.id, name: profiles.name }).from(profiles).where(inArray(profiles.id, people))
  const nameOf = (person: string | null) => names.find((one) => one.id === person)?.name ?? ''
  const at = (instant: Date) => formatMediumInstant(instant, 'en', env.PRACTICE_TIME_ZONE)
  const [note] = event.narrative ? await db.select().from(clinicalNotes).where(eq(clinicalNotes.id, event.narrative.id)) : []
  const narrative = note && (await noteForPdf(scope, note))
  const born = contact.dateOfBirth === null ? 'Date of birth not on file' : `Born ${formatMediumDay(contact.dateOfBirth, 'en')}`
  const document: PdfDocument = {
    letterhead: letterheadOf(scope, 'en', { isClinical: true }),
    title: 'Adverse event report',
    head: `${contact.firstName} ${contact.lastName} · ${born}`,
    warning: event.voidedAt
      ? 'Recorded in error'
      : !narrative
        ? 'The narrative is missing'
        : narrative.warning === 'Draft'
          ? 'The narrative is not signed'
          : narrative.warning,
    facts: [
      ...patientFacts(contact),
      { label: 'Event', value: eventKinds[event.kind].label },
      { label: 'Severity (Clavien-Dindo)', value: formatSeverity(event.severity) },
      { label: 'Happened', value: at(event.occurredAt) },
      { label: 'Practice learned of it', value: at(event.learnedAt) },
      ...(surgery
        ? [
            { label: 'Surgery', value: `${surgery.procedures.map(({ name }) => name).join(', ')}, ${at(surgery.startsAt)}` },
            { label: 'Surgeon', value: nameOf(surgery.surgeonId) || 'Not recorded' },
          ]
        : []),
      { label: 'Staff involved', value: event.peopleIds.map(nameOf).join(', ') || 'None named' },
      ...(event.others ? [{ label: 'Others involved', value: event.others }] : []),
      ...(event.dueOn
        ? [
            {
              label: 'Report due',
              value: `${formatMediumDay(event.dueOn, 'en')}, ${reportWithin} business days after learning of the event`,
            },
          ]
        : []),
      ...(event.filedOn
        ? [
            {
              label: 'Report filed',
              value: [
                formatMediumDay(event.filedOn, 'en'),
                `by ${nameOf(event.filedBy)}`,
                event.reference && `confirmation ${event.reference}`,
              ]
                .filter(Boolean)
                .join(', '),
            },
          ]
        : []),
    ],
    parts: narrative?.parts ?? [],
    notes: [...(narrative?.notes ?? []), `Recorded by ${nameOf(event.createdBy)} on ${at(event.createdAt)}`],
  }
  return pdfResponse(`Adverse event ${dayAt(event.occurredAt, env.PRACTICE_TIME_ZONE)}`, await renderPdf(document))
}
