import { useQuery, useQueryClient } from '@tanstack/react-query'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'
import { useSession } from '../../../ui/client/session.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { toast } from '../../../ui/overlays/toast.ts'
import { activeOf, type EntryStatus, type Section, sectionKinds } from '../rules.ts'
import type { EntryData, HealthData } from './health-data.ts'

/** What the user may see of a patient's health summary, kept up to date by server events. Not requested for roles without access. */
export function useHealth(contactId: string) {
  const cache = useQueryClient()
  const isAllowed = usePermission()('health.get')
  const input = { contactId }
  const health = useQuery(orpc.health.get.queryOptions({ input, enabled: isAllowed }))
  useLive(
    ['chart'],
    (ids) => {
      if (ids === null || ids.has(contactId)) void cache.invalidateQueries({ queryKey: orpc.health.get.key({ input }) })
    },
    { debounceMs: 200 },
  )
  return { health, isAllowed }
}

/** The actions on a patient's health summary. What was refused is reverted, with an error toast. */
export function useHealthActions(contactId: string) {
  const cache = useQueryClient()
  const { user } = useSession()
  const key = orpc.health.get.queryKey({ input: { contactId } })
  const put = (health: HealthData) => void cache.setQueryData(key, health)

  /** Shows a change at once; returns whether it was saved. */
  async function send(expected: (before: HealthData) => HealthData, work: () => Promise<HealthData>, failed: string): Promise<boolean> {
    await cache.cancelQueries({ queryKey: key })
    const before = cache.getQueryData(key)
    if (before) put(expected(before))
    try {
      put(await work())
      return true
    } catch (error) {
      if (before) put(before)
      toast.error(failed, messageOf(error))
      void cache.invalidateQueries({ queryKey: key })
      return false
    }
  }

  function setStatus(entry: EntryData, status: EntryStatus, errorReason: string | null = null): Promise<boolean> {
    const shown = (before: HealthData) => ({
      ...before,
      entries: before.entries.map((one) => (one.id === entry.id ? { ...one, status, errorReason } : one)),
    })
    const { id, version } = entry
    return send(shown, () => client.health.changeEntry({ id, version, status, errorReason }), `${entry.name} was not changed`)
  }

  return {
    put,
    /** Confirms a section as it is. */
    review(section: Section) {
      const shown = (before: HealthData) => ({
        ...before,
        reviews: [
          ...before.reviews.filter((review) => review.section !== section),
          {
            section,
            source: 'staff' as const,
            reviewedBy: user?.id ?? null,
            reviewedAt: new Date().toISOString(),
            activeEntries: sectionKinds[section].flatMap((kind) => activeOf(before.entries, kind)).length,
          },
        ],
      })
      return send(shown, () => client.health.reviewed({ contactId, section }), 'The review was not saved')
    },
    /** Changes the status of an entry, with Undo. */
    async changeStatus(entry: EntryData, status: EntryStatus, done: string, errorReason?: string): Promise<boolean> {
      if (!(await setStatus(entry, status, errorReason))) return false
      toast.undoable(done, () => {
        const now = cache.getQueryData(key)?.entries.find(({ id }) => id === entry.id)
        if (now) void setStatus(now, entry.status, entry.errorReason)
      })
      return true
    },
  }
}

export type HealthActions = ReturnType<typeof useHealthActions>
