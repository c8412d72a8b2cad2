import { eq, sql } from 'drizzle-orm'
import type { Scope } from '../../kernel/scope.ts'
import { type Language, languages } from '../../shared/translations.ts'
import { clinicalProblem } from '../../messages/email-templates/clinical-rules.ts'
import { findClinicalWords, missingForAll } from '../../messages/email-templates/service.ts'
import { textEnd, maySendCommercial, nameOfSender, textingOf } from '../../messages/inbox/service.ts'
import { maxTextLength } from '../../messages/inbox/text-rules.ts'
import { inboxTexts } from '../../messages/inbox/texts.ts'
import { linksIn } from '../click-rules.ts'
import { audienceOf } from './audience.ts'
import { type Chosen, chosenTemplates, contentsOf, maxSegments, paceOf, sampleTexts } from './content.ts'
import { type CampaignCheck, campaignMessages } from './contract.ts'
import { asAuthor } from './read.ts'
import { linkProblem, linksInText, type Refusal, refusalReasons, spamSigns } from './rules.ts'
import { campaigns, type Contents } from './table.ts'

/** What is looked at before a campaign is sent: who would be refused, and what readers and spam filters mind. Null: it does not exist. */
export async function checkCampaign(scope: Scope, id: string): Promise<CampaignCheck | null> {
  const { db, env } = scope
  const [campaign] = await db.select().from(campaigns).where(eq(campaigns.id, id))
  if (!campaign) return null
  const audience = await audienceOf(asAuthor(scope, campaign), campaign)
  const { rows } = await db.execute<{ refusal: Refusal | null; language: Language; count: number }>(
    sql`select refusal, language, count(*)::int as count from (${audience}) as audience group by refusal, language`,
  )
  const countOf = (reason: Refusal | null, language?: Language) =>
    rows.filter((row) => row.refusal === reason && row.language === (language ?? row.language)).reduce((sum, { count }) => sum + count, 0)
  const isText = campaign.channel === 'text'
  const texting = textingOf(env)
  const chosen = await chosenTemplates(db, campaign)
  const copied = campaign.contents ?? contentsOf(chosen)
  const contents = Object.values(copied.variants).flatMap(({ en, fr }) => [en, fr])
  const spam = new Map(contents.flatMap(({ subject, text }) => spamSigns(subject, text)).map((sign) => [sign.found.toLowerCase(), sign]))
  const links = [...new Set(contents.flatMap(({ html, text }) => (isText ? linksInText(text) : linksIn(html))))]
  const sender = [env.PRACTICE_ADDRESS, env.PRACTICE_PHONE, env.MAIL_REPLY_TO].filter(Boolean).join(', ')
  const line = (language: Language) =>
    isText
      ? textEnd(env, language)
      : `${inboxTexts[language]('sentBy', { practice: env.PRACTICE_NAME, contact: sender })} ${inboxTexts[language]('unsubscribe')}`
  const isComplete = chosen.some(({ variant }) => variant === 'a') && (campaign.testPercent === null || chosen.length === 2)
  return {
    total: rows.reduce((sum, { count }) => sum + count, 0),
    sendable: countOf(null),
    refused: refusalReasons.map((reason) => ({ reason, count: countOf(reason) })).filter(({ count }) => count > 0),
    contents: chosen.map(({ variant, template, french }) => ({
      variant,
      name: template.name,
      subject: template.subject,
      hasFrench: french.id !== template.id,
    })),
    spam: [...spam.values()],
    links: links.map((url) => ({ url, problem: linkProblem(url) })),
    from: isText ? (texting ? nameOfSender(texting) : '') : env.MAIL_FROM,
    replyTo: env.MAIL_REPLY_TO,
    texts: isText && chosen.length > 0 ? textsOf(scope, campaign, copied, { en: countOf(null, 'en'), fr: countOf(null, 'fr') }) : null,
    unsubscribe: { en: line('en'), fr: line('fr') },
    perWeek: env.MESSAGES_PER_WEEK,
    problems: [
      ...(isComplete ? [] : [campaignMessages.template]),
      ...(maySendCommercial(env) ? [] : [campaignMessages.postalAddress]),
      ...(isText || env.POSTMARK_TOKEN ? [] : [campaignMessages.noMail]),
      ...(campaign.contents ? [] : await missingProblems(scope, chosen)),
      ...(isText ? await textProblems(scope, copied) : []),
      ...(countOf(null) > 0 ? [] : [campaignMessages.noOne]),
    ],
  }
}

/** Variables that have a value for no patient: each message would be refused. */
async function missingProblems({ db, env }: Scope, chosen: readonly Chosen[]): Promise<string[]> {
  const ids = chosen.map(({ template }) => template.id)
  const missing = await missingForAll(db, env, ids)
  return missing.map(({ template, variable, isPractice }) =>
    isPractice
      ? `“${template}” contains {{${variable}}}, which is empty. Set it in Settings, Practice.`
      : `“${template}” contains {{${variable}}}, which has no value in a campaign. Change the template.`,
  )
}

/** What keeps a campaign by text from being sent. */
async function textProblems({ db, env }: Scope, contents: Contents): Promise<string[]> {
  const words = Object.values(contents.variants).flatMap(({ en, fr }) => [en.text, fr.text])
  const found = await findClinicalWords(db, env, words.join('\n'))
  const isTooLong = languages.some((language) => sampleTexts(env, contents, language).some(({ text }) => text.length > maxTextLength))
  return [
    ...(textingOf(env) ? [] : [campaignMessages.noTexting]),
    ...(found.length > 0 ? [clinicalProblem(found)] : []),
    ...(isTooLong ? [campaignMessages.tooLong] : []),
  ]
}

/** What texts take and cost: about, since names differ in length. Of two templates, the longer one counts. */
function textsOf(
  { env }: Pick<Scope, 'env'>,
  { perHour }: Pick<typeof campaigns.$inferSelect, 'perHour'>,
  contents: Contents,
  sendable: Record<Language, number>,
): CampaignCheck['texts'] {
  const segments = { en: maxSegments(env, contents, 'en'), fr: maxSegments(env, contents, 'fr') }
  const all = languages.flatMap((language) => sampleTexts(env, contents, language))
  return {
    segments,
    isShortened: all.some(({ encoding }) => encoding === 'UCS-2'),
    cost: languages.reduce((sum, language) => sum + sendable[language] * segments[language], 0) * env.TEXT_SEGMENT_PRICE,
    perHour: paceOf(env, perHour, contents),
  }
}
