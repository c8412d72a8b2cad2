import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { VisitMoneySection } from '../../care/appointments/web/embed/visit-money.ts'
import { queryClient } from '../../ui/client/api.ts'
import { lazySection } from '../../ui/lazy-section.tsx'
import { router } from './routes.tsx'

const VisitMoneyCard = lazySection(
  () => import('../../billing/visit-fees/web/embed/VisitMoneyCard.tsx').then((code) => code.VisitMoneyCard),
  null,
)
const renderVisitMoney = (props: { appointmentId: string; status: string }) => <VisitMoneyCard {...props} />

/** The staff application, shown once the requested page's code has loaded. */
export async function openStaff(): Promise<ReactNode> {
  const pages = router.matchRoutes(router.latestLocation).flatMap(({ staticData: { preload } }) => (preload ? [preload()] : []))
  // A page whose code fails to load shows the error in its place.
  await Promise.allSettled(pages)
  return (
    <QueryClientProvider client={queryClient}>
      <VisitMoneySection value={renderVisitMoney}>
        <RouterProvider router={router} />
      </VisitMoneySection>
    </QueryClientProvider>
  )
}
