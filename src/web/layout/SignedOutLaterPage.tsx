import { FileText, Plug } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PublicPage } from './PublicPage.tsx'

/** The patient portal and the providers' callbacks, until they exist. */
export default function SignedOutLaterPage() {
  return location.pathname.toLowerCase().startsWith('/patientdocuments') ? (
    <PublicPage title="Patient Document Portal">
      <EmptyState icon={<FileText />} title="The portal is on its way" className="my-auto">
        Patients will see, download and send their documents here.
      </EmptyState>
    </PublicPage>
  ) : (
    <PublicPage title="Connection">
      <EmptyState
        icon={<Plug />}
        title="This connection cannot be finished yet"
        className="my-auto"
        actions={
          <Button asChild>
            <a href="/">Return to Home</a>
          </Button>
        }
      >
        Nothing was connected and nothing was changed.
      </EmptyState>
    </PublicPage>
  )
}
