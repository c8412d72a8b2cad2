import './first-run.ts'
import { lazy } from 'react'
import { createRoot } from 'react-dom/client'
import { Loading } from './layout/Loading.tsx'
import { PageBoundary } from './layout/PageBoundary.tsx'
import { refreshSession } from './session.ts'
import { signedOutPath } from './signed-out-paths.ts'
import './ui/theme.css'

// Asked at once, beside the code that will want to know.
void refreshSession()

const SignedOut = lazy(() => import('./signed-out.tsx'))
const Staff = lazy(() => import('./staff.tsx'))

const path = signedOutPath(location.pathname)
const element = document.getElementById('root')
if (element) {
  createRoot(element).render(<PageBoundary fallback={<Loading />}>{path ? <SignedOut path={path} /> : <Staff />}</PageBoundary>)
}
