import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Env } from '../../kernel/env.ts'
import {
  htmlFromText,
  missingAmong,
  render,
  renderSubject,
  sampleValuesOf,
  templateNames,
  type TemplateValues,
} from '../../messages/email-templates/rules.ts'
import { company } from '../../messages/email-templates/service.ts'
import { emailTemplates } from '../../messages/email-templates/table.ts'
import { withTextEnd } from '../../messages/inbox/service.ts'
import { plainText, sizeOfText } from '../../messages/inbox/text-rules.ts'
import { placeholdersIn } from '../../shared/placeholders.ts'
import { type Language, languages } from '../../shared/translations.ts'
import { trackedLinks, withLinks } from '../click-rules.ts'
import { textsPerHour, type Variant } from './rules.ts'
import type { campaigns, Content, Contents } from './table.ts'

type Template = typeof emailTemplates.$inferSelect

const contentOf = ({ channel, subject, body, variables }: Template): Content => ({
  subject,
  text: body,
  html: channel === 'text' ? '' : variables.html_content?.trim() ? variables.html_content : withLinks(htmlFromText(body)),
})

export interface Chosen {
  variant: Variant
  template: Template
  /** The template itself where it has no French version. */
  french: Template
}

/** The templates of a campaign with their French versions, found by name (`templateNames`). Templates that were deleted are left out. */
export async function chosenTemplates(
  db: Db,
  campaign: Pick<typeof campaigns.$inferSelect, 'templateId' | 'templateBId'>,
): Promise<Chosen[]> {
  const wanted = { a: campaign.templateId, b: campaign.templateBId }
  const chosen: Chosen[] = []
  for (const [variant, id] of Object.entries(wanted) as [Variant, string | null][]) {
    const [template] = id === null ? [] : await db.select().from(emailTemplates).where(eq(emailTemplates.id, id))
    if (!template) continue
    const names = templateNames(template.name, 'fr')
    const lowerName = sql<string>`lower(${emailTemplates.name})`
    const [french] = await db
      .select()
      .from(emailTemplates)
      .where(and(inArray(lowerName, names.slice(0, 1)), eq(emailTemplates.channel, template.channel)))
    chosen.push({ variant, template, french: french ?? template })
  }
  return chosen
}

/** What the campaign sends from now on, whatever happens to its templates. */
export function contentsOf(chosen: readonly Chosen[]): Contents {
  const variants = Object.fromEntries(
    chosen.map(({ variant, template, french }) => [variant, { en: contentOf(template), fr: contentOf(french) }]),
  ) as Contents['variants']
  const all = Object.values(variants).flatMap(({ en, fr }) => [en.html, fr.html])
  return { variants, links: [...new Set(all.flatMap(trackedLinks))] }
}

type Sending = Pick<typeof campaigns.$inferSelect, 'templateId' | 'templateBId' | 'contents'>

/** What a campaign sends: of a draft, what its templates say now. */
export const currentContents = async (db: Db, campaign: Sending): Promise<Contents> =>
  campaign.contents ?? contentsOf(await chosenTemplates(db, campaign))

export const variablesOf = ({ subject, text, html }: Content): string[] => placeholdersIn([subject, text, html].join('\n'))

/** Whether a content with these variables would have a gap, or a variable in braces. */
export function hasGap(variables: readonly string[], values: TemplateValues): boolean {
  const { unknown, empty } = missingAmong(variables, values)
  return unknown.length > 0 || empty.length > 0
}

/** A content with a patient's values. */
export const rendered = ({ subject, text, html }: Content, values: TemplateValues) => ({
  subject: renderSubject(subject, values),
  text: render(text, values, 'text'),
  html: render(html, values, 'html'),
})

/** The words of a text, without typographic characters, of which one would shorten each segment. */
export const renderedText = (text: string, values: TemplateValues): string => plainText(render(text, values, 'text'))

/** Each text of a campaign in a language with a sample patient’s values and the line that ends it, and its size. */
export function sampleTexts(env: Env, { variants }: Contents, language: Language) {
  const values = sampleValuesOf(company(env), language)
  return Object.values(variants).map(({ [language]: content }) => {
    const text = withTextEnd(env, language, renderedText(content.text, values))
    return { text, ...sizeOfText(text) }
  })
}

/** The most segments of a text of a campaign. */
export const maxSegments = (env: Env, contents: Contents, language: Language): number =>
  Math.max(0, ...sampleTexts(env, contents, language).map(({ segments }) => segments))

/** The texts an hour that can leave. */
export const paceOf = (env: Env, perHour: number, contents: Contents): number =>
  textsPerHour(perHour, {
    segments: Math.max(...languages.map((language) => maxSegments(env, contents, language))),
    isOneNumber: !env.TWILIO_MESSAGING_SERVICE,
  })
