import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { NotForBilling } from '../../../calendar/web/embed/NotForBilling.tsx'
import { TopbarTitle } from '../../../../ui/layout/TopbarTitle.tsx'
import { useMay } from '../../../../ui/client/useMay.ts'
import { SurgeriesCalendar } from './SurgeriesCalendar.tsx'

/** Spec 2: /surgeries, who is operated on when. */
export default function SurgeriesPage(): ReactNode {
  const search = useSearch({ from: '/staff/surgeries' })
  const navigate = useNavigate({ from: '/surgeries' })
  const may = useMay()
  return (
    <>
      <TopbarTitle title="Surgeries" />
      {may('surgeries.list') ? (
        <SurgeriesCalendar
          search={search}
          onChange={(part, replace = false) => void navigate({ to: '/surgeries', search: (before) => ({ ...before, ...part }), replace })}
        />
      ) : (
        <NotForBilling what="surgeries">The surgical date and revenue appear in the patient’s record.</NotForBilling>
      )}
    </>
  )
}
