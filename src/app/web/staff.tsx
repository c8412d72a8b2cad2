import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { queryClient } from '../../ui/client/api.ts'
import { router } from './routes.tsx'

/** The half of the product for staff, once the code of the page that was asked for is there. */
export async function openStaff(): Promise<ReactNode> {
  const pages = router.matchRoutes(router.latestLocation).flatMap(({ staticData: { preload } }) => (preload ? [preload()] : []))
  // A page whose code did not come says so where it would stand.
  await Promise.allSettled(pages)
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  )
}
