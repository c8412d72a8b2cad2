import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { queryClient } from '../../ui/client/api.ts'
import { router } from './routes.tsx'

/** The staff application, shown once the requested page's code has loaded. */
export async function openStaff(): Promise<ReactNode> {
  const pages = router.matchRoutes(router.latestLocation).flatMap(({ staticData: { preload } }) => (preload ? [preload()] : []))
  // A page whose code fails to load shows the error in its place.
  await Promise.allSettled(pages)
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  )
}
