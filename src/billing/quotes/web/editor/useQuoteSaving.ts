import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useState } from 'react'
import { toast } from '../../../../ui/overlays/toast.ts'
import { useKey } from '../../../../ui/hooks/useKey.ts'
import { useUnsavedGuard } from '../../../../ui/forms/useUnsavedGuard.tsx'
import { quoteName } from '../../rules.ts'
import type { QuoteData } from '../quote-data.ts'
import { focusedName, rememberFocus } from './kept-focus.ts'
import type { QuoteEditorState } from './useQuoteEditor.ts'

interface SavingOptions {
  /** Null: a new one. */
  quote: QuoteData | null
  contactId: string
  editor: QuoteEditorState
  form: RefObject<HTMLFormElement | null>
}

export type QuoteSaving = ReturnType<typeof useQuoteSaving>

/** Saves, previews and sends the edited quote, by button or key, and asks before unsaved changes are left. */
export function useQuoteSaving({ quote, contactId, editor, form }: SavingOptions) {
  const navigate = useNavigate()
  const [sending, setSending] = useState<QuoteData | null>(null)
  const guard = useUnsavedGuard(() => editor.isDirty && !editor.isBusy)

  // After the first save, a new quote continues at its own URL.
  const openSaved = (saved: QuoteData, focused: string | null = null) => {
    rememberFocus(focused)
    guard.leave(
      () => void navigate({ to: '/contacts/$id/quotes/$quoteId/edit', params: { id: contactId, quoteId: saved.id }, replace: true }),
    )
  }
  const saved = async () => editor.stored() ?? editor.save()

  async function saveDraft() {
    const focused = focusedName(form.current)
    const after = await editor.save()
    if (!after) return
    toast.success(`${quoteName(after)} saved as a draft`)
    if (!quote) openSaved(after, focused)
  }
  async function send() {
    const after = await saved()
    if (after) setSending(after)
  }
  async function preview() {
    // Opened immediately: browsers block windows that are opened after a response.
    const tab = window.open('', '_blank')
    const focused = focusedName(form.current)
    const isUnsaved = !quote || editor.isDirty
    const after = await saved()
    if (!after) return tab?.close()
    if (tab) tab.location.href = `/api/quotes/${after.id}.pdf`
    // The PDF shows the stored quote, so edits were saved first.
    if (isUnsaved) toast.success('Draft saved')
    if (!quote) openSaved(after, focused)
    return undefined
  }
  function closeSendDialog() {
    setSending(null)
    if (sending && !quote) openSaved(sending)
  }
  function leaveAfterSending() {
    guard.leave(() => void navigate({ to: '/contacts/$id', params: { id: contactId }, search: { tab: 'account' } }))
  }
  useKey('mod+enter', 'Send quote', () => void send())
  useKey('mod+s', 'Save draft', () => void saveDraft())

  return {
    saveDraft,
    send,
    preview,
    /** The saved quote that the send dialog is open for; null: it is closed. */
    sending,
    closeSendDialog,
    leaveAfterSending,
    /** The confirmation dialog to render. */
    guardDialog: guard.dialog,
  }
}
