import fs from 'node:fs'
import path from 'node:path'
import { extendTailwindMerge } from 'tailwind-merge'
import { expect, test } from 'vitest'
import { cn } from './cn.ts'

// Names of our theme that tailwind-merge would otherwise take for colours or families.
const merge = extendTailwindMerge({
  extend: {
    theme: { text: ['title', 'portal', '3xs'], 'font-weight': ['regular'] },
    classGroups: { z: [{ z: ['(--z-sticky)', '(--z-shell)', '(--z-drawer)', '(--z-dialog)', '(--z-popover)', '(--z-toast)'] }] },
  },
})

const source = path.join(import.meta.dirname, '..')

/**
 * Each word of each string of the screens that tailwind-merge takes for a utility: it drops the first of two that are the same. The schema of the
 * editor names properties of CSS.
 */
const names = new Set(
  fs
    .readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        /\.tsx?$/.test(file) &&
        !file.includes('.test.') &&
        /\.tsx$|\b(web|ui)\b/.test(file) &&
        !/cn\.ts$|rich-text\/schema\.ts$/.test(file),
    )
    .flatMap((file) => fs.readFileSync(path.join(source, file), 'utf8').match(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g) ?? [])
    .flatMap((text) => text.slice(1, -1).split(/\s+/))
    .filter((name) => name !== '' && merge(`${name} ${name}`) === name),
)

/** The colon of a variant, not one in brackets. */
const variantsOf = (name: string) => /^(?:(?:\[[^\]]*\]|\([^)]*\)|[^[(:])*:)*/.exec(name)![0]
const utilities = new Set([...names].map((name) => name.slice(variantsOf(name).length).replace(/!$/, '')))
const variants = new Set([...names].map(variantsOf))

function differences(lists: Iterable<string>): string[] {
  return [...lists].filter((list) => cn(list) !== merge(list)).map((list) => `${list}: '${cn(list)}', not '${merge(list)}'`)
}

test('finds the utilities of the screens', () => {
  expect(utilities.size).toBeGreaterThan(800)
  expect(variants.size).toBeGreaterThan(90)
})

test('keeps and drops what tailwind-merge does, for every utility of the screens', () => {
  // One utility of each group stands for it: `merge` drops either of two that are of the same group, whichever is first.
  const samples: string[] = []
  for (const utility of utilities) {
    const isKnown = samples.some((sample) => merge(`${sample} ${utility}`) === utility && merge(`${utility} ${sample}`) === sample)
    if (!isKnown) samples.push(utility)
  }
  // No two groups replace the same groups, so what a utility replaces shows which group `cn` takes it for: one order is enough.
  const pairs = [...utilities].flatMap((utility) => samples.map((sample) => `${sample} ${utility}`))
  expect(differences(pairs)).toEqual([])
})

test('compares utilities under the same variants only', () => {
  const pairs = [...variants].flatMap((one) => [...variants].map((other) => `${one}px-2 ${other}pl-1 ${one}p-3`))
  expect(differences(pairs)).toEqual([])
})

test('compares important utilities with important ones only', () => {
  expect(differences(['size-3! size-4', 'size-4 size-3!', 'size-3! size-4!', 'md:p-1! p-1 md:p-2'])).toEqual([])
})

test('joins lists, and leaves out what does not apply', () => {
  expect(cn('flex', false, ['gap-2', undefined], { hidden: false, 'px-2': true })).toBe('flex gap-2 px-2')
  expect(cn('touch-target px-2', null, 'touch-none px-4')).toBe('touch-target touch-none px-4')
  expect(cn()).toBe('')
})
