import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { NotForBilling } from '../../../calendar/web/embed/NotForBilling.tsx'
import { TopbarTitle } from '../../../../ui/layout/TopbarTitle.tsx'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { SurgeriesCalendar } from './SurgeriesCalendar.tsx'

/** The page /surgeries (spec 2). */
export default function SurgeriesPage(): ReactNode {
  const search = useSearch({ from: '/staff/surgeries' })
  const navigate = useNavigate({ from: '/surgeries' })
  const may = usePermission()
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
