import { useEffect, useRef, useState } from 'react'
import type { PendingDocument } from '../document-data.ts'
import { useDocumentActions } from '../useDocumentActions.ts'
import { reviewRowId } from './ReviewRow.tsx'

/** Tracks which document of the queue is current, opened or being rejected, and sends the decisions. */
export function useReviewQueue(documents: readonly PendingDocument[]) {
  const actions = useDocumentActions()
  /** The current row and its position. If someone else removes the document, no row is current. */
  const [currentRow, setCurrentRow] = useState<{ id: string; at: number } | null>(null)
  const [opened, setOpened] = useState<PendingDocument | null>(null)
  const [rejecting, setRejecting] = useState<PendingDocument | null>(null)
  const current = documents.find(({ id }) => id === currentRow?.id) ?? null

  function select(document: PendingDocument | undefined) {
    setCurrentRow(document ? { id: document.id, at: documents.indexOf(document) } : null)
  }
  function step(by: 1 | -1) {
    const at = current ? documents.indexOf(current) + by : (currentRow?.at ?? 0)
    const next = documents[Math.min(Math.max(at, 0), documents.length - 1)]
    select(next)
    if (next) focusRow(next.id)
  }

  /** After a decision, makes the next document current, and shows it if the decided one was open. */
  function advanceFrom(from: PendingDocument) {
    const at = documents.findIndex(({ id }) => id === from.id)
    const next = documents[at + 1] ?? documents[at - 1]
    setCurrentRow(next ? { id: next.id, at } : null)
    setOpened((now) => (now?.id === from.id ? (next ?? null) : now))
  }
  /** Decisions being sent, so that pressing a key twice decides once. */
  const deciding = useRef(new Set<string>())
  async function decide(document: PendingDocument, reason: string | null) {
    if (deciding.current.has(document.id)) return null
    deciding.current.add(document.id)
    const outcome = await actions.review(document, reason === null ? 'accepted' : 'rejected', reason)
    deciding.current.delete(document.id)
    if (outcome && 'saved' in outcome) advanceFrom(document)
    return outcome
  }

  // Keep the focus in the list for keyboard users, because the pressed button disappears with its row.
  const currentId = currentRow?.id
  useEffect(() => {
    if (currentId !== undefined && document.activeElement === document.body) focusRow(currentId)
  }, [currentId, documents, rejecting, opened])

  return { current, opened, rejecting, setOpened, setRejecting, select, step, decide }
}

function focusRow(id: string): void {
  const row = document.getElementById(reviewRowId(id))
  row?.focus({ preventScroll: true })
  row?.scrollIntoView({ block: 'nearest' })
}
