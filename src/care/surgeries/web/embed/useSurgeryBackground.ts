import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Entry } from '../../../calendar/web/embed/grid/entry.ts'
import { type Names, providerName } from '../../../calendar/web/embed/names.ts'
import { orpc } from '../../../../ui/client/api.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { entryOf } from '../styles.ts'
import { useLiveSurgeries } from '../useLiveSurgeries.ts'

interface BackgroundOptions {
  /** Instants. */
  from: string
  to: string
  surgeonId: string | undefined
  roomId: string | undefined
  names: Names
  /** False for views without room for them. */
  isShown: boolean
}

const none: readonly never[] = []

/** Surgeries to show behind another calendar, because they occupy its people and rooms. Empty for users who may not see surgeries. */
export function useSurgeryBackground({ isShown, names, ...input }: BackgroundOptions): readonly Entry[] {
  const enabled = usePermission()('surgeries.list') && isShown
  // No placeholder data: in day columns, entries of another day would appear under the wrong person.
  const { data } = useQuery(orpc.surgeries.list.queryOptions({ input, enabled }))
  useLiveSurgeries(data?.data ?? none)
  return useMemo(() => {
    if (!enabled || !data) return none
    return data.data.map((one) => {
      const entry = entryOf(one)
      return { ...entry, title: [`${entry.title}, surgery`, providerName(entry.providerId, names)].filter(Boolean).join(' · ') }
    })
  }, [enabled, data, names])
}
