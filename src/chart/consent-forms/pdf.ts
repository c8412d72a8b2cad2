import { eq } from 'drizzle-orm'
import { letterheadOf, type PdfDocument, type PracticeScope } from '../../kernel/pdf/document.ts'
import { renderPdf } from '../../kernel/pdf/render.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { formatLongDay, type Language, languageNames } from '../../shared/translations.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import type { PhotoScope } from './definition-rules.ts'
import { deviceOf } from './event-rules.ts'
import type { ConsentRow } from './read.ts'
import { type consentEvents, consentTemplateVersions } from './table.ts'
import { consentTexts } from './texts.ts'

type EventRow = typeof consentEvents.$inferSelect

/** 'November 27, 2026 at 2:30 p.m. EST', '27 novembre 2026 à 14 h 30 HNE'. */
const formatInstant = (at: Date, language: Language, timeZone: string): string =>
  new Intl.DateTimeFormat(`${language}-CA`, { dateStyle: 'long', timeStyle: 'long', timeZone }).format(at)

/** A signed consent form as it was after the last of these steps, with a page of evidence, in the language that was signed. */
export async function renderConsent(
  scope: Pick<Scope, 'db'> & PracticeScope,
  form: ConsentRow,
  events: readonly EventRow[],
): Promise<Uint8Array<ArrayBuffer>> {
  const { db, env } = scope
  const { language } = form
  const t = consentTexts[language]
  const text = form.text!
  const signing = form.signing!
  const at = (instant: Date) => formatInstant(instant, language, env.PRACTICE_TIME_ZONE)
  const dayOf = (instant: Date) => formatLongDay(dayAt(instant, env.PRACTICE_TIME_ZONE), language)
  const version = await versionOf(db, form.versionId)
  const signed = { name: form.substituteName ?? text.patientName, at: at(form.signedAt!) }
  const usedFor = ({ detail }: EventRow): string | null => {
    const used = deviceOf(detail)
    return used && (used.used === 'tablet' ? t('pdf.tablet', { name: used.givenBy }) : t('pdf.ownDevice'))
  }
  const signedOn = usedFor(events.find(({ kind }) => kind === 'signed')!)
  const countersigned = events.find(({ kind }) => kind === 'countersigned')
  const labelOf = (scopes: readonly PhotoScope[]) => scopes.map((scope) => t(`scopes.${scope}`)).join(', ')
  const withdrawals = events
    .filter(({ kind }) => kind === 'withdrawn')
    .map(({ detail, actorName, at: instant }) => {
      const { on, by, scopes } = detail as { on?: string; by?: string; scopes: PhotoScope[] | null }
      const when = { day: on ? formatLongDay(on, language) : dayOf(instant), name: by ?? actorName }
      return {
        isWhole: scopes === null,
        line: scopes ? t('pdf.withdrawnInPart', { ...when, uses: labelOf(scopes) }) : t('pdf.withdrawn', when),
      }
    })
  const facts: [string, string | null][] = [
    [t('pdf.patient'), text.patientName],
    [t('pdf.born'), text.birthDate],
    [t('pdf.procedure'), text.procedure],
    [t('pdf.provider'), text.provider],
    [t('pdf.surgeryDate'), text.surgeryDate],
    [t('pdf.witness'), signing.witness],
    [t('pdf.interpreter'), signing.interpreter],
  ]
  const document: PdfDocument = {
    letterhead: letterheadOf(scope, language, { isClinical: true }),
    title: text.title,
    head: [text.patientName, text.birthDate && t('pdf.bornOn', { day: text.birthDate })].filter(Boolean).join(' · '),
    warning: withdrawals.some(({ isWhole }) => isWhole) ? t('pdf.warning') : null,
    language,
    facts: facts.flatMap(([label, value]) => (value === null ? [] : [{ label, value }])),
    parts: [
      ...(text.intro ? [{ heading: '', text: text.intro }] : []),
      ...text.clauses.map(({ id, title, text: words, needsInitials }) => ({
        heading: title,
        text: words,
        ...(needsInitials && { aside: t('pdf.initials', { initials: signing.initials[id] ?? '' }) }),
      })),
      ...text.scopes.map(({ scope, label }, index) => ({
        heading: index === 0 ? t('pdf.uses') : '',
        text: label,
        aside: signing.scopes.includes(scope) ? t('pdf.agreed') : t('pdf.refused'),
      })),
      {
        // On the same page as the signature.
        heading: text.statement,
        strokes: signing.signature.kind === 'drawn' ? signing.signature.strokes : null,
        typed: signing.signature.kind === 'typed' ? signing.signature.name : null,
        lines: [
          text.substitute
            ? t('pdf.signedFor', { ...signed, relation: text.substitute.relation, patient: text.patientName })
            : t('pdf.signedBy', signed),
          ...(countersigned ? [t('pdf.countersigned', { name: countersigned.actorName, at: at(countersigned.at) })] : []),
          ...withdrawals.map(({ line }) => line),
        ],
      },
      {
        heading: t('pdf.evidence'),
        startsPage: true,
        columns: [
          { label: t('pdf.step'), width: 96 },
          { label: t('pdf.when'), width: 116 },
          { label: t('pdf.who'), width: 104 },
          { label: t('pdf.from') },
        ],
        rows: events.map(({ kind, at: instant, actorName, address, device, hash }) => [
          t(`events.${kind}`),
          at(instant),
          actorName,
          { text: [address, device].filter(Boolean).join(' · '), detail: t('pdf.hash', { hash: chunked(hash) }) },
        ]),
      },
      ...(signedOn === null ? [] : [{ heading: t('pdf.device'), text: signedOn }]),
      { heading: t('pdf.version'), text: t('pdf.versionOf', { number: version.number, day: dayOf(version.publishedAt!) }) },
      { heading: t('pdf.language'), text: languageNames[language] },
      { heading: t('pdf.textHash'), text: t('pdf.hash', { hash: form.textHash! }) },
      { heading: t('pdf.shown'), text: t('pdf.shownClauses', { count: signing.shown.length }) },
    ],
    notes: [t('pdf.chain')],
  }
  return renderPdf(document)
}

/** In groups of 16: a line of the column has room for two, and breaks none with a hyphen. */
const chunked = (hash: string): string => hash.match(/.{1,16}/g)!.join(' ')

async function versionOf(db: Db, id: string) {
  const [version] = await db
    .select({ number: consentTemplateVersions.number, publishedAt: consentTemplateVersions.publishedAt })
    .from(consentTemplateVersions)
    .where(eq(consentTemplateVersions.id, id))
  return version!
}
