import fs from 'node:fs/promises'
import { fileTypeFromBuffer } from 'file-type'
import { createBudget, FileTooComplex } from './budget.ts'
import type { FileRefusalCode } from '../contract.ts'
import { readBrands } from './heif.ts'
import { inspectPdf } from './inspect-pdf.ts'
import { inspectHeic, inspectJpeg, inspectPng } from './inspect-picture.ts'
import { inspectDoc, inspectDocx } from './inspect-word.ts'
import type { Inspection } from './inspection.ts'
import { type FileKind, kindOfName } from '../rules.ts'

const inspections: Record<FileKind, Inspection> = {
  'application/pdf': inspectPdf,
  'application/msword': inspectDoc,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': inspectDocx,
  'image/jpeg': inspectJpeg,
  'image/png': inspectPng,
  'image/heic': inspectHeic,
}
/** Formats that start like other, unsupported ones. */
const containers: readonly FileKind[] = ['application/msword', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document']

/**
 * Detects the kind of a file on disk by its bytes. Its name must end in one of the kind's extensions, because computers choose the program
 * by the extension. An unsupported kind is FILE_TYPE whatever the name; a file that costs too much to read is FILE_TOO_COMPLEX.
 */
export async function inspectFile(
  file: string,
  name: string,
  budget = createBudget(),
): Promise<{ kind: FileKind } | { refusal: FileRefusalCode }> {
  const handle = await fs.open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0)
    if (bytesRead === 0) return { refusal: 'FILE_EMPTY' }
    const kind = await guessKind(buffer.subarray(0, bytesRead))
    if (!kind) return { refusal: 'FILE_TYPE' }
    const refusal = await inspections[kind](file, handle, budget)
    if (refusal === 'FILE_TYPE') return { refusal }
    if (kindOfName(name) !== kind) return { refusal: refusal && containers.includes(kind) ? 'FILE_TYPE' : 'FILE_NAME' }
    return refusal ? { refusal } : { kind }
  } catch (error) {
    if (error instanceof FileTooComplex) return { refusal: 'FILE_TOO_COMPLEX' }
    throw error
  } finally {
    await handle.close()
  }
}

const heicBrands = ['heic', 'heix', 'heim', 'heis']

/** The likely kind by the first bytes. */
async function guessKind(head: Buffer): Promise<FileKind | null> {
  if (head.toString('latin1', 0, 5) === '%PDF-') return 'application/pdf'
  if (head.toString('latin1', 0, 4) === 'PK\x03\x04') return 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  const brands = readBrands(head)
  if (brands.length > 0) return brands.some((brand) => heicBrands.includes(brand)) && !brands.includes('avif') ? 'image/heic' : null
  const known = await fileTypeFromBuffer(head).catch(() => undefined)
  if (known?.mime === 'image/jpeg' || known?.mime === 'image/png') return known.mime
  if (known?.mime === 'application/x-cfb') return 'application/msword'
  // PDF readers would still find the header; the inspection then refuses the file with a better reason.
  return !known && head.subarray(0, 1024).includes('%PDF-') ? 'application/pdf' : null
}
