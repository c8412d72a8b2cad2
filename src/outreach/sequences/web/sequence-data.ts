import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Directory } from '../../../crm/contacts/web/embed/directory.ts'
import { appointmentTemplates, templateLanguage, templateNames, templateTitle } from '../../../messages/email-templates/rules.ts'
import { type Client, orpc } from '../../../ui/client/api.ts'
import type { Definition } from '../definition-contract.ts'
import type { Names } from '../title-rules.ts'

/** As they arrive: moments are ISO strings. */
export type SequenceData = Omit<Awaited<ReturnType<Client['sequences']['get']>>, 'draft'> & { draft: Definition }
export type SequenceLine = Awaited<ReturnType<Client['sequences']['list']>>[number]
export type RunData = Awaited<ReturnType<Client['sequences']['runs']>>['data'][number]

export interface TemplateChoice {
  id: string
  title: string
  channel: 'email' | 'text'
  category: string
  isFrenchToo: boolean
}

/** Templates whose variables have values in the emails that the practice's system sends by itself only. */
const reserved = new Set<string>([...Object.values(appointmentTemplates), 'payment_reminder'])

/** The templates that a step can send. Each French one belongs to its English one, and is sent to patients who prefer French. */
export function useTemplateChoices(): { choices: TemplateChoice[]; titles: Names['templates'] } {
  const { data } = useQuery(orpc.emailTemplates.list.queryOptions({ input: {}, staleTime: 60_000 }))
  return useMemo(() => {
    const names = new Set(data?.map(({ name }) => name.toLowerCase()))
    const choices = (data ?? [])
      .filter(({ name }) => templateLanguage(name) === 'en' && !reserved.has(name.toLowerCase().replace(/_text$/, '')))
      .map(({ id, name, channel, category }) => ({
        id,
        title: templateTitle(name),
        channel,
        category,
        isFrenchToo: names.has(templateNames(name, 'fr')[0]!),
      }))
    return { choices, titles: data ? new Map(data.map(({ id, name }) => [id, templateTitle(name)])) : null }
  }, [data])
}

/** What the titles of steps need. */
export const namesFrom = ({ stages, tags }: Directory, templates: Names['templates']): Names => ({
  templates,
  stages: namesOf(stages),
  tags: namesOf(tags),
})

/** An empty list of the directory is loading. */
const namesOf = (entries: readonly { id: string; name: string }[]) =>
  entries.length === 0 ? null : new Map(entries.map(({ id, name }) => [id, name]))

/** Reloads what is shown of sequences. Dry runs and tests stay: they belong to the saved draft, and are counted again with its next version. */
export const refreshSequences = (cache: QueryClient): Promise<unknown> => {
  const { list, get, runs, log, ofContact } = orpc.sequences
  return Promise.all([list, get, runs, log, ofContact].map((call) => cache.invalidateQueries({ queryKey: call.key() })))
}
