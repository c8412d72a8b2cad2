import { type Loadable, loadable } from '../../ui/hooks/useLoaded.ts'

/** Code loaded when the page is idle or when it is needed. */
export const viewerDialog: Loadable<typeof import('./ViewerDialog.tsx')> = loadable(() => import('./ViewerDialog.tsx'))
export const uploadPanel: Loadable<typeof import('./UploadPanel.tsx')> = loadable(() => import('./UploadPanel.tsx'))
export const quoteDialog: Loadable<typeof import('./quotes/QuoteDialog.tsx')> = loadable(() => import('./quotes/QuoteDialog.tsx'))
export const idleWarning: Loadable<typeof import('./IdleWarning.tsx')> = loadable(() => import('./IdleWarning.tsx'))
