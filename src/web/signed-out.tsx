import { AppFrame } from './layout/AppFrame.tsx'
import { lazyPage } from './lazy-page.ts'
import type { SignedOutPath } from './signed-out-paths.ts'

/**
 * The half of the product for people who are not signed in. It has no router, query cache or shell: a page is chosen once, by its path, and links
 * between these pages load anew. So /auth stays small and the patient portal never carries staff code.
 */
const pages: Record<SignedOutPath, React.ComponentType> = {
  '/auth': lazyPage(() => import('../features/auth/web/AuthPage.tsx')).Page,
  '/reset-password': lazyPage(() => import('../features/auth/web/ResetPasswordPage.tsx')).Page,
  '/update-password': lazyPage(() => import('../features/auth/web/UpdatePasswordPage.tsx')).Page,
  '/verify-email': lazyPage(() => import('../features/auth/web/VerifyEmailPage.tsx')).Page,
  '/pending': lazyPage(() => import('../features/auth/web/PendingPage.tsx')).Page,
  '/setup': lazyPage(() => import('../features/auth/web/SetupPage.tsx')).Page,
  '/invitation': lazyPage(() => import('../features/auth/web/InvitationPage.tsx')).Page,
  '/patientdocuments': lazyPage(() => import('../features/portal/web/PortalPage.tsx')).Page,
  '/appointment': lazyPage(() => import('../features/appointments/web/public/AppointmentPage.tsx')).Page,
  '/u': lazyPage(() => import('../features/consent/web/UnsubscribePage.tsx')).Page,
}

export default function SignedOut({ path }: { path: SignedOutPath }) {
  const Page = pages[path]
  return (
    <AppFrame>
      <Page />
    </AppFrame>
  )
}
