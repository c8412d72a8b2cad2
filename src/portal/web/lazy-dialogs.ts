import { type Loadable, loadable } from '../../ui/hooks/useLoaded.ts'

/** Code loaded when the page is idle or when it is needed. */
export const viewerDialog: Loadable<typeof import('./documents/ViewerDialog.tsx')> = loadable(() => import('./documents/ViewerDialog.tsx'))
export const uploadPanel: Loadable<typeof import('./documents/UploadPanel.tsx')> = loadable(() => import('./documents/UploadPanel.tsx'))
export const quoteDialog: Loadable<typeof import('./quotes/QuoteDialog.tsx')> = loadable(() => import('./quotes/QuoteDialog.tsx'))
export const photoDialog: Loadable<typeof import('./photos/PhotoDialog.tsx')> = loadable(() => import('./photos/PhotoDialog.tsx'))
export const idleWarning: Loadable<typeof import('./IdleWarning.tsx')> = loadable(() => import('./IdleWarning.tsx'))
