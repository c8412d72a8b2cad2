import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { ContextType, ReactNode } from 'react'
import { VisitMoneyContext } from '../../care/appointments/web/embed/visit-money.ts'
import { queryClient } from '../../ui/client/api.ts'
import { lazySection } from '../../ui/lazy-section.tsx'
import { router } from './routes.tsx'

const VisitMoneyCard = lazySection(
  () => import('../../billing/visit-fees/web/embed/VisitMoneyCard.tsx').then((code) => code.VisitMoneyCard),
  null,
)
const CancellationNote = lazySection(
  () => import('../../billing/visit-fees/web/embed/CancellationNote.tsx').then((code) => code.CancellationNote),
  null,
)
const visitMoney: ContextType<typeof VisitMoneyContext> = {
  section: (props) => <VisitMoneyCard {...props} />,
  cancellation: (props) => <CancellationNote {...props} />,
}

/** The staff application, shown once the requested page's code has loaded. */
export async function openStaff(): Promise<ReactNode> {
  const pages = router.matchRoutes(router.latestLocation).flatMap(({ staticData: { preload } }) => (preload ? [preload()] : []))
  // A page whose code fails to load shows the error in its place.
  await Promise.allSettled(pages)
  return (
    <QueryClientProvider client={queryClient}>
      <VisitMoneyContext value={visitMoney}>
        <RouterProvider router={router} />
      </VisitMoneyContext>
    </QueryClientProvider>
  )
}
