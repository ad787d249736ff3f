// Edits wait here until Python has acknowledged them, so that none is lost when many come fast: the whole list is
// sent as a state each time, and Python applies what is newer than the number it acknowledged last.
class Queue {
  constructor(acknowledged, send) {
    this.next = acknowledged + 1;
    this.pending = [];
    this.send = send;
  }

  add(edit) {
    this.pending.push({ ...edit, seq: this.next });
    this.next += 1;
    this.send(this.pending.slice());
  }

  // What was sent from a place that is no longer in the page may never have arrived.
  sendAgain() {
    if (this.pending.length) this.send(this.pending.slice());
  }

  acknowledge(number) {
    this.pending = this.pending.filter((edit) => edit.seq > number);
    this.next = Math.max(this.next, number + 1);
  }

  // The paints that Python has not shown yet. What was done before an undo is Python's to work out.
  painted() {
    const last = this.pending.map((edit) => edit.kind).lastIndexOf("step");
    return this.pending.slice(last + 1);
  }
}
