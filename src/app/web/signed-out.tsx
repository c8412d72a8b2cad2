import type { ReactNode } from 'react'
import { AppFrame } from './layout/AppFrame.tsx'
import { type LazyPage, lazyPage } from '../../ui/client/lazy-page.ts'
import type { SignedOutPath } from '../visitor-rules.ts'

const pages: Record<SignedOutPath, LazyPage> = {
  '/auth': lazyPage(() => import('../../platform/auth/web/AuthPage.tsx')),
  '/auth/sso/callback': lazyPage(() => import('../../platform/auth/web/SsoCallbackPage.tsx')),
  '/reset-password': lazyPage(() => import('../../platform/auth/web/ResetPasswordPage.tsx')),
  '/update-password': lazyPage(() => import('../../platform/auth/web/UpdatePasswordPage.tsx')),
  '/verify-email': lazyPage(() => import('../../platform/auth/web/VerifyEmailPage.tsx')),
  '/pending': lazyPage(() => import('../../platform/auth/web/PendingPage.tsx')),
  '/setup': lazyPage(() => import('../../platform/auth/web/SetupPage.tsx')),
  '/invitation': lazyPage(() => import('../../platform/auth/web/InvitationPage.tsx')),
  '/patientdocuments': lazyPage(() => import('../../portal/web/PortalPage.tsx')),
  '/portal': lazyPage(() => import('../../portal/web/PortalPage.tsx')),
  '/appointment': lazyPage(() => import('../../care/appointments/web/public/AppointmentPage.tsx')),
  '/offer': lazyPage(() => import('../../care/waiting-list/web/public/OfferPage.tsx')),
  '/waiting': lazyPage(() => import('../../care/waiting-list/web/public/WaitingPage.tsx')),
  '/pay': lazyPage(() => import('../../billing/cards/web/public/PayPage.tsx')),
  '/s': lazyPage(() => import('../../messages/inbox/web/public/TextLinkPage.tsx')),
  '/forms': lazyPage(() => import('../../portal/web/forms/FormPage.tsx')),
  '/tablet': lazyPage(() => import('../../portal/tablet/web/TabletPage.tsx')),
  '/u': lazyPage(() => import('../../crm/consent/web/unsubscribe/UnsubscribePage.tsx')),
  '/consents': lazyPage(() => import('../../portal/web/consents/ConsentPage.tsx')),
  '/shared-photos': lazyPage(() => import('../../chart/photo-uses/web/public/SharedPhotosPage.tsx')),
  '/verify': lazyPage(() => import('../../platform/seals/web/VerifyPage.tsx')),
}

/**
 * The signed-out application. It has no router, query cache or shell: a page is chosen once by its path, and links between these pages
 * reload. So /auth stays small, and the patient portal never includes staff code.
 */
export async function openSignedOut(path: SignedOutPath): Promise<ReactNode> {
  const { Page, preload } = pages[path]
  await preload().catch(() => undefined)
  return (
    <AppFrame>
      <Page />
    </AppFrame>
  )
}
