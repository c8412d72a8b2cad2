import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { htmlFromText, render, renderSubject, templateNames, type TemplateValues } from '../../messages/email-templates/rules.ts'
import { emailTemplates } from '../../messages/email-templates/table.ts'
import { trackedLinks, type Variant, withLinks } from './rules.ts'
import type { campaigns, Content, Contents } from './table.ts'

type Template = typeof emailTemplates.$inferSelect

const contentOf = ({ subject, body, variables }: Template): Content => ({
  subject,
  text: body,
  html: variables.html_content?.trim() ? variables.html_content : withLinks(htmlFromText(body)),
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
      .where(and(inArray(lowerName, names.slice(0, 1)), eq(emailTemplates.channel, 'email')))
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

/** A content with a patient's values. */
export const rendered = ({ subject, text, html }: Content, values: TemplateValues) => ({
  subject: renderSubject(subject, values),
  text: render(text, values, 'text'),
  html: render(html, values, 'html'),
})
