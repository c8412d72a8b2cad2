import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Entry } from '../../../calendar/web/embed/entry.ts'
import { type Names, providerName } from '../../../calendar/web/embed/names.ts'
import { orpc } from '../../../../ui/client/api.ts'
import { useMay } from '../../../../ui/client/useMay.ts'
import { entryOf } from '../styles.ts'
import { useLiveSurgeries } from '../useLiveSurgeries.ts'

interface Beside {
  /** Instants. */
  from: string
  to: string
  surgeonId: string | undefined
  roomId: string | undefined
  names: Names
  /** A calendar that has no room for them asks for none. */
  isShown: boolean
}

const none: readonly never[] = []

/** The surgeries of the time that another calendar shows: they take up its people and its rooms. None for anyone who sees no surgeries. */
export function useSurgeriesBeside({ isShown, names, ...input }: Beside): readonly Entry[] {
  const enabled = useMay()('surgeries.list') && isShown
  // Nothing of another day is kept in the meantime: in the columns of a day it would stand under someone else.
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
