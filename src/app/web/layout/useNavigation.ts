import { useMemo } from 'react'
import { useMay } from '../../../ui/client/useMay.ts'
import { navGroups, type NavEntry } from './navigation.ts'

/** The sidebar's groups with the pages that anyone who is signed in may use. */
export function useNavGroups(): NavEntry[][] {
  const may = useMay()
  return useMemo(() => navGroups.map((group) => group.filter(({ needs }) => !needs || may(needs))), [may])
}
