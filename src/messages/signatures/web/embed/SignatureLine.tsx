import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { RichTextView } from '../../../../ui/rich-text/RichText.tsx'

interface SignatureLineProps {
  /** Of the patient. */
  language: string
  isLeftOut: boolean
  onChange: (isLeftOut: boolean) => void
}

/** The signature below an email that is being written, which can be left out. Nothing without one. */
export function SignatureLine({ language, isLeftOut, onChange }: SignatureLineProps) {
  const { data } = useQuery(orpc.signatures.mine.queryOptions())
  if (!data) return null
  const signature = data.find((one) => one.language === language) ?? data[0]
  if (!signature) return null
  return (
    <div className="mx-4 mb-2 flex items-start gap-2 border-t border-line pt-2">
      {isLeftOut ? (
        <p className="flex-1 text-sm text-fg-3">Sent without your signature.</p>
      ) : (
        <div aria-label="Your signature" role="group" className="min-w-0 flex-1 max-md:max-h-11 max-md:overflow-y-auto">
          <RichTextView html={signature.html} className="text-sm text-fg-2" />
        </div>
      )}
      <Button size="sm" variant="quiet" onClick={() => onChange(!isLeftOut)}>
        {isLeftOut ? 'Add signature' : 'Leave out'}
      </Button>
    </div>
  )
}
