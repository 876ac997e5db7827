// How the parts of an instance reach its database, and how they share its connections.
import { availableParallelism } from "node:os"

/** Addresses of a database, and what an instance may open to it, as plain values. */
export interface Ways {
  url: string
  /** The address past a pooler, for LISTEN, migrations and maintenance. */
  direct?: string | undefined
  /** Addresses of replicas, for questions. */
  replicas?: readonly string[] | undefined
  /** Connections that an instance opens at most. */
  connections?: number | undefined
  /** Whether a pooler gives each transaction another session of the server; undefined where it was not found out yet. */
  sharesSessions?: boolean | undefined
}

const DEFAULT_CONNECTIONS = 12
/** Threads that mostly wait for the database, which does the work. */
const QUESTION_THREADS = 4
/** Connections of the second thread: one to read, one to write. */
const WORKER = 2
/** LISTEN has one; the other makes indexes, ends statements and looks whether the server answers. */
const UPKEEP = 2

interface Shares {
  /** Connections of the thread that answers requests. */
  requests: number
  /** Of these, those that transactions may hold: the others are for reads. */
  writers: number
  /** Reader threads, with a connection each. */
  questions: number
}

/** Divides the connections of an instance among its threads. */
export function sharesOf(connections = DEFAULT_CONNECTIONS): Shares {
  const questions = Math.min(Math.floor(connections / 4), Math.max(QUESTION_THREADS, availableParallelism()))
  const requests = connections - questions - WORKER - UPKEEP
  return { requests, writers: requests - Math.max(1, Math.floor(requests / 4)), questions }
}

/** The ways to a database that is reached by one address. */
export const waysTo = (address: string | Ways): Ways =>
  typeof address === "string" ? { url: address } : address

/** The address for what needs a session of its own. */
export const directUrl = ({ url, direct }: Ways): string => direct ?? url
