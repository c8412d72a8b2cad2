import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, codeOf, messageOf, orpc } from '../../../ui/client/api.ts'
import { toast } from '../../../ui/overlays/toast.ts'
import { templateFailures } from '../contract.ts'
import { type Draft, sentOf } from './draft.ts'
import type { TemplateData } from './template-data.ts'

/** What is done with a template; each says itself when it did not work. */
export function useTemplateActions() {
  const cache = useQueryClient()
  const [busy, setBusy] = useState<'deleting' | 'copying' | null>(null)
  // Awaited, so that the list is right once the editor is gone.
  const refresh = () => cache.invalidateQueries({ queryKey: orpc.emailTemplates.list.key() })

  async function during<Result>(action: 'deleting' | 'copying', work: () => Promise<Result>): Promise<Result> {
    setBusy(action)
    try {
      return await work()
    } finally {
      setBusy(null)
    }
  }

  /** `known`: which version of which template was read; without one a new template is added. Throws what was refused. */
  async function save(known: { id: string; version: number } | null, draft: Draft): Promise<void> {
    if (known) await client.emailTemplates.update({ ...known, ...sentOf(draft) })
    else await client.emailTemplates.create({ channel: draft.channel, subject: '', ...sentOf(draft) })
    await refresh()
  }

  const remove = (id: string): Promise<boolean> =>
    during('deleting', async () => {
      try {
        await client.emailTemplates.delete({ id })
        await refresh()
        return true
      } catch (error) {
        toast.error(templateFailures.delete, messageOf(error))
        return false
      }
    })

  /** The copy's id. */
  const duplicate = (id: string): Promise<string | null> =>
    during('copying', async () => {
      try {
        const copy = await client.emailTemplates.duplicate({ id })
        await refresh()
        return copy.id
      } catch (error) {
        toast.error(templateFailures.create, messageOf(error))
        return null
      }
    })

  return { busy, save, remove, duplicate }
}

/** What a conflict tells: the template as it is now. */
export function currentOf(error: unknown): TemplateData | null {
  if (codeOf(error) !== 'CONFLICT') return null
  const { data } = error as { data?: { current?: TemplateData } }
  return data?.current ?? null
}
