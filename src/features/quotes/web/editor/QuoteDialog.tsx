import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, orpc } from '../../../../web/api.ts'
import { useClock } from '../../../../web/session.ts'
import { Alert } from '../../../../web/ui/Alert.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../../web/ui/Dialog.tsx'
import { ErrorState } from '../../../../web/ui/EmptyState.tsx'
import { today } from '../../../../web/ui/format.ts'
import { Skeleton } from '../../../../web/ui/Skeleton.tsx'
import { toast } from '../../../../web/ui/toast.ts'
import { useProblemFocus } from '../../../../web/ui/useProblemFocus.ts'
import { useUnsavedGuard } from '../../../../web/ui/useUnsavedGuard.tsx'
import type { PosTaxCode } from '../../../pos/contract.ts'
import { quoteName } from '../../rules.ts'
import type { ChoicesData, QuoteData } from '../quote-data.ts'
import { draftOf, newDraft } from './quote-draft.ts'
import { QuoteFields } from './QuoteFields.tsx'
import { useQuoteEditor } from './useQuoteEditor.ts'

interface QuoteDialogProps {
  contactId: string
  /** Null: a new one. */
  quote: QuoteData | null
  onClose: () => void
  onSaved: (after: QuoteData) => void
}

/** Writes a quote, or changes a draft. */
export default function QuoteDialog(props: QuoteDialogProps) {
  const choices = useQuery(orpc.quotes.choices.queryOptions({ input: { contactId: props.contactId }, staleTime: 0 }))
  const taxCodes = useQuery(orpc.pos.taxCodes.queryOptions({ staleTime: 60_000 }))
  const title = props.quote ? `Edit ${quoteName(props.quote).toLowerCase()}` : 'New quote'
  const missing = [choices, taxCodes].find(({ data }) => data === undefined)
  if (choices.data && taxCodes.data && taxCodes.data.taxCodes.length > 0) {
    const { taxCodes: codes, defaultTaxCode } = taxCodes.data
    const usual = codes.find(({ Id }) => Id === defaultTaxCode) ?? codes[0]!
    return <Editor {...props} title={title} choices={choices.data} codes={codes} usualCode={usual.Id} />
  }
  return (
    <Dialog open onOpenChange={props.onClose} title={title} size="lg">
      <DialogBody className="md:min-h-100">
        {missing?.error ? (
          <ErrorState title="The quote did not open" onRetry={() => void missing.refetch()} retrying={missing.isFetching}>
            {messageOf(missing.error)}
          </ErrorState>
        ) : missing ? (
          <div role="status" aria-label="Loading" className="flex flex-col gap-4">
            {['h-9', 'h-9 w-2/3', 'h-24', 'w-1/3'].map((size) => (
              <Skeleton key={size} className={size} />
            ))}
          </div>
        ) : (
          <Alert tone="warning" title="There are no tax codes yet.">
            A quote is taxed as a receipt is, by the tax codes of QuickBooks. An administrator can connect it in Settings.
          </Alert>
        )}
      </DialogBody>
    </Dialog>
  )
}

interface EditorProps extends QuoteDialogProps {
  title: string
  choices: ChoicesData
  codes: readonly PosTaxCode[]
  usualCode: string
}

function Editor({ contactId, quote, title, choices, codes, usualCode, onClose, onSaved }: EditorProps) {
  const clock = useClock()
  const [initial] = useState(() => (quote ? draftOf(quote) : newDraft(today(clock), usualCode)))
  const { draft, change, problems, isDirty, isBusy, tries, submit, conflict, settle } = useQuoteEditor({
    quote,
    contactId,
    initial,
    codes,
    onSaved(after) {
      toast.success(quote ? `${quoteName(after)} saved` : `${quoteName(after)} written as a draft`)
      onClose()
      onSaved(after)
    },
  })
  const form = useProblemFocus(tries)
  // Once it is saved, it is still being sent for the form.
  const guard = useUnsavedGuard(() => isDirty && !isBusy)
  const close = () => !isBusy && guard.close(onClose)
  return (
    <Dialog open onOpenChange={close} title={title} size="lg" dismissible={!isBusy}>
      <form
        ref={form}
        noValidate
        className={dialogForm}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void submit()
        }}
      >
        <DialogBody>
          {problems.form && (
            <Alert tone="danger" className="mb-4">
              {problems.form}
            </Alert>
          )}
          {conflict && (
            <Alert
              tone="warning"
              title="Somebody has changed this quote meanwhile."
              className="mb-4"
              action={
                <span className="flex gap-2">
                  <Button size="sm" onClick={() => settle('mine')}>
                    Keep what I typed
                  </Button>
                  <Button size="sm" onClick={() => settle('theirs')}>
                    Show theirs
                  </Button>
                </span>
              }
            >
              Nothing was saved yet.
            </Alert>
          )}
          <QuoteFields draft={draft} onChange={change} problems={problems} choices={choices} codes={codes} usualCode={usualCode} />
        </DialogBody>
        <DialogFooter>
          <Button size="lg" disabled={isBusy} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" size="lg" variant="filled" disabled={conflict !== null} busy={isBusy} busyLabel="Saving...">
            {quote ? 'Save quote' : 'Save as draft'}
          </Button>
        </DialogFooter>
      </form>
      {guard.dialog}
    </Dialog>
  )
}
