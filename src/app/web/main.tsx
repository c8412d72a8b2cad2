import './first-run.ts'
import { createRoot } from 'react-dom/client'
import { Loading } from '../../ui/layout/Loading.tsx'
import { PageFailed } from '../../ui/layout/PageBoundary.tsx'
import { refreshSession } from '../../ui/client/session.ts'
import type { contract } from '../contract.ts'
import { signedOutPath } from '../visitor-rules.ts'
import '../../ui/theme.css'

declare module '../../ui/client/api.ts' {
  interface Register {
    contract: typeof contract
  }
}

// Requested at once, in parallel with the code that needs it.
void refreshSession()

const path = signedOutPath(location.pathname)
const element = document.getElementById('root')
if (element) {
  const root = createRoot(element)
  root.render(<Loading />)
  const half = path
    ? import('./signed-out.tsx').then(({ openSignedOut }) => openSignedOut(path))
    : import('./staff.tsx').then(({ openStaff }) => openStaff())
  half.then(
    (shown) => root.render(shown),
    () => root.render(<PageFailed />),
  )
}
