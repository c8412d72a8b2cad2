import { type InferClientErrors, isDefinedError } from '@orpc/client'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Client, client, messageOf, orpc } from '../../ui/client/api.ts'
import { toast } from '../../ui/overlays/toast.ts'
import { changedFields, clashesOf } from './clashes.ts'
import type { DocumentData, DocumentFields } from './document-data.ts'

type Errors = InferClientErrors<Client>['documents']

/** What a change was refused with because someone else was faster: the document as it is now. */
function conflictOf(thrown: unknown): DocumentData | null {
  const error = thrown as Errors['update']
  return isDefinedError(error) && error.code === 'CONFLICT' ? error.data.current : null
}

/** What became of a change: saved, met by someone else's (nothing was overwritten), or failed, which was said already. */
export type Outcome = { saved: DocumentData } | { theirs: DocumentData } | null

interface Words {
  /** Said when it is done, with Undo unless it says otherwise; nothing where the page itself shows enough. */
  done?: string
  failed: string
  undo?: DocumentFields
}

/** All that staff do to a document, each on top of what they saw: what someone else has done in the meantime is never overwritten unseen. */
export function useDocumentChange() {
  const cache = useQueryClient()
  return useMemo(() => {
    const listKey = ({ contactId }: DocumentData) => orpc.documents.list.queryKey({ input: { contactId } })
    const put = (document: DocumentData) =>
      cache.setQueryData(listKey(document), (now) => now?.map((one) => (one.id === document.id ? document : one)))
    const refresh = () => {
      void cache.invalidateQueries({ queryKey: orpc.documents.key() })
      void cache.invalidateQueries({ queryKey: orpc.interactions.key() })
    }

    async function send(base: DocumentData, fields: DocumentFields): Promise<Outcome> {
      try {
        return { saved: await client.documents.update({ id: base.id, version: base.version, ...fields }) }
      } catch (error) {
        const theirs = conflictOf(error)
        if (!theirs) throw error
        return clashesOf(base, theirs, fields).length > 0 ? { theirs } : send(theirs, fields)
      }
    }

    async function change(base: DocumentData, wanted: DocumentFields, { done, failed, undo }: Words): Promise<Outcome> {
      const fields = changedFields(base, wanted)
      if (Object.keys(fields).length === 0) return { saved: base }
      put({ ...base, ...fields })
      try {
        const outcome = await send(base, fields)
        if (outcome && 'saved' in outcome) {
          put(outcome.saved)
          const after = outcome.saved
          if (done && undo) toast.undoable(done, () => void takeBack(after, undo))
          else if (done) toast.success(done)
        } else if (outcome) put(outcome.theirs)
        return outcome
      } catch (error) {
        put(base)
        toast.error(failed, messageOf(error), () => void change(base, wanted, { done, failed, undo }))
        return null
      } finally {
        refresh()
      }
    }

    /** Undone is what this change did, not what someone else has done on top of it. */
    async function takeBack(after: DocumentData, undo: DocumentFields) {
      const outcome = await change(after, undo, { done: 'Undone', failed: 'This was not undone' })
      if (outcome && 'theirs' in outcome) toast.error('This was not undone', 'Someone else has changed it in the meantime.')
    }

    /** Of these a decision is on its way: a second click is none. */
    const deciding = new Set<string>()
    async function review(base: DocumentData, decision: 'accepted' | 'rejected', reason: string | null): Promise<Outcome> {
      if (deciding.has(base.id)) return null
      deciding.add(base.id)
      return decide(base, decision, reason).finally(() => deciding.delete(base.id))
    }

    async function decide(base: DocumentData, decision: 'accepted' | 'rejected', reason: string | null): Promise<Outcome> {
      const { id, version, name, reviewState } = base
      const failed = decision === 'accepted' ? `${name} was not accepted` : `${name} was not rejected`
      try {
        const saved = await client.documents.review({ id, version, decision, reason })
        put(saved)
        toast.success(decision === 'accepted' ? `${name} accepted` : `${name} rejected; the patient is told why`)
        return { saved }
      } catch (error) {
        const theirs = conflictOf(error)
        if (theirs && theirs.reviewState === reviewState) return decide(theirs, decision, reason)
        if (!theirs) {
          toast.error(failed, messageOf(error))
          return null
        }
        put(theirs)
        // Anyone who rejects is told where the reason is written, which stays there.
        if (decision === 'accepted' && theirs.reviewState === 'rejected')
          toast.error(failed, 'Someone else has rejected it in the meantime.')
        return { theirs }
      } finally {
        refresh()
      }
    }

    async function remove(document: DocumentData): Promise<boolean> {
      const { id, name } = document
      cache.setQueryData(listKey(document), (now) => now?.filter((one) => one.id !== id))
      try {
        await client.documents.delete({ id })
        toast.undoable(`${name} deleted`, () => void restore(document))
        return true
      } catch (error) {
        toast.error(`${name} was not deleted`, messageOf(error))
        return false
      } finally {
        refresh()
      }
    }

    async function restore({ id, name }: DocumentData): Promise<void> {
      try {
        await client.documents.restore({ id })
        toast.success(`${name} is back`)
      } catch (error) {
        toast.error(`${name} was not brought back`, messageOf(error))
      } finally {
        refresh()
      }
    }

    return { change, review, remove }
  }, [cache])
}

export type DocumentActs = ReturnType<typeof useDocumentChange>
