import { eq, inArray } from 'drizzle-orm'
import { letterheadOf, patientFacts, type PdfDocument, pdfResponse, type PracticeScope } from '../../kernel/pdf/document.ts'
import { renderPdf } from '../../kernel/pdf/render.ts'
import type { Scope } from '../../kernel/scope.ts'
import { isUuid } from '../../shared/text.ts'
import { formatMediumDay, type Language, toLanguage } from '../../shared/translations.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { profiles } from '../../platform/auth/table.ts'
import { deviceName } from '../devices/rules.ts'
import type { Implant } from './contract.ts'
import { implantsOf } from './read.ts'
import { cardTexts } from './texts.ts'

/** GET /api/contacts/{id}/implant-card.pdf: the patient's device card, in their language unless another is chosen. */
export async function cardResponse(scope: Scope, contactId: string, chosen: Language | null): Promise<Response> {
  const card = isUuid(contactId) ? await renderCard(scope, contactId, chosen) : null
  if (!card) return Response.json({ code: 'NOT_FOUND', message: 'This patient does not exist' }, { status: 404 })
  await scope.recordView({ action: 'printed', kind: 'surgery device', contactIds: [contactId] })
  return pdfResponse(card.name, card.bytes)
}

/** All implants that the practice placed, with the two identifiers of the patient. Null: there is no such patient. */
export async function renderCard(scope: Pick<Scope, 'db' | 'now'> & PracticeScope, contactId: string, chosen: Language | null = null) {
  const { db, env, now } = scope
  const [contact] = await db.select().from(contacts).where(eq(contacts.id, contactId))
  if (!contact) return null
  const implants = await implantsOf(db, contactId)
  const surgeonIds = implants.map(({ usedBy }) => usedBy).filter((id) => id !== null)
  const surgeons = await db.select({ id: profiles.id, name: profiles.name }).from(profiles).where(inArray(profiles.id, surgeonIds))
  const language = chosen ?? toLanguage(contact.preferredLanguage) ?? 'en'
  const t = cardTexts[language]
  const day = (iso: string) => formatMediumDay(iso, language)
  const today = dayAt(now(), env.PRACTICE_TIME_ZONE)

  const row = (implant: Implant) => {
    const { device, side, lot, serial, usedAt, usedBy, explantedOn, position } = implant
    const surgeon = surgeons.find(({ id }) => id === usedBy)?.name
    return [
      {
        text: deviceName(device),
        detail: [t(`kinds.${device.kind as 'mesh'}`), side && t(`sides.${side}`), position].filter(Boolean).join(', '),
      },
      {
        text: [t('lot', { lot }), serial && t('serial', { serial })].filter(Boolean).join(', '),
        detail: device.udiDi ? t('udi', { udi: device.udiDi }) : '',
      },
      {
        text: usedAt ? day(dayAt(usedAt, env.PRACTICE_TIME_ZONE)) : '',
        detail: explantedOn ? t('removed', { day: day(explantedOn) }) : surgeon ? t('surgeon', { name: surgeon }) : '',
      },
    ]
  }
  const document: PdfDocument = {
    letterhead: letterheadOf(scope, language, { isClinical: true }),
    title: t('title'),
    head: `${contact.firstName} ${contact.lastName}`,
    warning: null,
    facts: [...patientFacts(contact, language), { label: t('made'), value: day(today) }],
    parts: [
      {
        heading: t('implants'),
        columns: [{ label: t('device') }, { label: t('identifiers'), width: 180 }, { label: t('placed'), width: 130 }],
        rows: implants.map(row),
      },
    ],
    notes: implants.length === 0 ? [t('none')] : [t('keep'), t('contact')],
    language,
  }
  return { name: `${today} ${t('file')}`, bytes: await renderPdf(document) }
}
