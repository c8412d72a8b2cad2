import { useMemo } from 'react'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { navGroups, type NavEntry } from './navigation.ts'

/** The sidebar's groups with the pages that the current user may use. */
export function useNavGroups(): NavEntry[][] {
  const may = usePermission()
  return useMemo(() => navGroups.map((group) => group.filter(({ needs }) => !needs || may(needs))), [may])
}
