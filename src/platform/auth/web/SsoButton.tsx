import { useEffect, useState } from 'react'
import { messageOf } from '../../../ui/client/refusal.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { loadCalls, prepareCalls } from './load.ts'

/** Goes to the provider's sign-in page. A provider that does not respond is a state of this button. */
export function SsoButton({ name, label = `Continue with ${name}` }: { name: string; label?: string }) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  async function start() {
    setBusy(true)
    setProblem(null)
    try {
      const { client } = await loadCalls()
      const { url } = await client.auth.beginSso()
      // Stays busy until the provider's page replaces this one.
      location.assign(url)
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }
  // Going back from the provider, the browser may show this page as it was left.
  useEffect(() => {
    const wake = ({ persisted }: PageTransitionEvent) => persisted && setBusy(false)
    addEventListener('pageshow', wake)
    return () => removeEventListener('pageshow', wake)
  }, [])
  return (
    <div className="flex flex-col gap-3" onFocus={prepareCalls} onPointerEnter={prepareCalls}>
      <Button variant="filled" size="lg" block busy={isBusy} busyLabel={`Opening ${name}…`} onClick={() => void start()}>
        {label}
      </Button>
      {problem && (
        <p role="alert" className="rounded-md bg-warning-soft px-3 py-2.5 text-sm text-fg">
          {problem}
        </p>
      )}
    </div>
  )
}
