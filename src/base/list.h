// Intrusive doubly linked list: linking and unlinking never allocate, an element knows how to leave
// its list. The element owns its node; the list owns nothing. One thread, never parks.
#pragma once

#include <cassert>

namespace stampede {

struct ListNode {
    ListNode* prev = nullptr;
    ListNode* next = nullptr;

    bool linked() const { return next != nullptr; }
    void unlink() {
        if (next == nullptr) {
            return;
        }
        prev->next = next;
        next->prev = prev;
        prev = next = nullptr;
    }
};

// T derives from ListNode (or from a tagged subclass of it when it lives in several lists).
template <typename T, typename Node = ListNode>
class List {
public:
    List() { head_.prev = head_.next = &head_; }
    List(const List&) = delete;
    List& operator=(const List&) = delete;

    bool empty() const { return head_.next == &head_; }
    T* front() { return empty() ? nullptr : static_cast<T*>(static_cast<Node*>(head_.next)); }

    void push_back(T& item) { insert_before(head_, item); }
    void push_front(T& item) { insert_before(*head_.next, item); }

    T* pop_front() {
        T* item = front();
        if (item != nullptr) {
            static_cast<Node*>(item)->unlink();
        }
        return item;
    }

    // Moves every element of other to the end of this list, in order, in constant time.
    void splice_back(List& other) {
        if (other.empty()) {
            return;
        }
        ListNode* first = other.head_.next;
        ListNode* last = other.head_.prev;
        first->prev = head_.prev;
        head_.prev->next = first;
        last->next = &head_;
        head_.prev = last;
        other.head_.prev = other.head_.next = &other.head_;
    }

    // The element after item, or null at the end; item must be in this list.
    T* after(T& item) {
        ListNode* next = static_cast<Node&>(item).next;
        return next == &head_ ? nullptr : static_cast<T*>(static_cast<Node*>(next));
    }

private:
    void insert_before(ListNode& position, T& item) {
        Node& node = static_cast<Node&>(item);
        assert(!node.linked());
        node.prev = position.prev;
        node.next = &position;
        position.prev->next = &node;
        position.prev = &node;
    }

    ListNode head_;
};

}  // namespace stampede
