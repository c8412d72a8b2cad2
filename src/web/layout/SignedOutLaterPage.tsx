import { Plug } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PublicPage } from './PublicPage.tsx'

/** The providers' callbacks, until they exist. */
export default function SignedOutLaterPage() {
  return (
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
